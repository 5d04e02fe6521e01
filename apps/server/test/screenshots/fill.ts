import { acmeBranding, acmeProviders, addressOf, people, tenants, userAgents } from "./sample-data";

export const password = "correct horse battery";

type Call = <Answer>(
	path: string,
	body: unknown,
	headers?: Record<string, string>,
) => Promise<Answer>;

const posting =
	(baseUrl: string): Call =>
	async <Answer>(path: string, body: unknown, headers: Record<string, string> = {}) => {
		const response = await fetch(`${baseUrl}/api/auth${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
		return (await response.json()) as Answer;
	};

/** Fills a server with sample data. @returns the ids of the main tenant and its first user */
export async function fill(baseUrl: string, managementKey: string) {
	const post = posting(baseUrl);
	const manage = <Answer>(path: string, body: unknown) =>
		post<Answer>(`/tenant${path}`, body, { authorization: `Bearer ${managementKey}` });
	const tenantIds = new Map<string, string>();
	for (const { name, slug, primaryColor } of tenants) {
		const branding = slug === "acme" ? acmeBranding : { primaryColor };
		const metadata = { branding, plan: "business", seats: 250 };
		tenantIds.set(slug, (await manage<{ id: string }>("/create", { name, slug, metadata })).id);
	}
	const tenantId = tenantIds.get("acme") ?? "";
	const userIds = await signUpPeople(post, tenantId);
	for (const config of acmeProviders) {
		await manage("/oauth-config/register", { tenantId, clientSecret: "a secret", ...config });
	}
	await manage("/suspend", { tenantId: tenantIds.get("lumen") });
	await manage("/user/send-password-reset", { tenantId, userId: userIds[3] });
	await manage("/user/revoke-sessions", { tenantId, userId: userIds[7] });
	return { tenantId, userId: userIds[0] ?? "" };
}

async function signUpPeople(post: Call, tenantId: string): Promise<string[]> {
	const ids: string[] = [];
	for (const [index, name] of people.entries()) {
		const headers = {
			"x-tenant-id": tenantId,
			"user-agent": userAgents[index % userAgents.length] ?? "",
		};
		const user = { name, email: addressOf(name), password };
		const answer = await post<{ user: { id: string } }>("/tenant/sign-up/email", user, headers);
		ids.push(answer.user.id);
	}
	const first = { email: addressOf(people[0] ?? ""), password };
	for (const userAgent of [userAgents[2], userAgents[4]]) {
		const headers = { "x-tenant-id": tenantId, "user-agent": userAgent ?? "" };
		await post("/tenant/sign-in/email", first, headers);
	}
	return ids;
}
