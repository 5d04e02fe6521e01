import { acmesBranding, acmesProviders, addressOf, browsers, people, tenants } from "./sample-data";

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

/** Fills a service as its operators and users would. @returns ids of the tenant with everything in it */
export async function fill(baseUrl: string, managementKey: string) {
	const post = posting(baseUrl);
	const manage = <Answer>(path: string, body: unknown) =>
		post<Answer>(`/tenant${path}`, body, { authorization: `Bearer ${managementKey}` });
	const made = new Map<string, string>();
	for (const { name, slug, primaryColor } of tenants) {
		const branding = slug === "acme" ? acmesBranding : { primaryColor };
		const metadata = { branding, plan: "business", seats: 250 };
		made.set(slug, (await manage<{ id: string }>("/create", { name, slug, metadata })).id);
	}
	const tenantId = made.get("acme") ?? "";
	const userIds = await signPeopleUp(post, tenantId);
	for (const config of acmesProviders) {
		await manage("/oauth-config/register", { tenantId, clientSecret: "a secret", ...config });
	}
	await manage("/suspend", { tenantId: made.get("lumen") });
	await manage("/user/send-password-reset", { tenantId, userId: userIds[3] });
	await manage("/user/revoke-sessions", { tenantId, userId: userIds[7] });
	return { tenantId, userId: userIds[0] ?? "" };
}

async function signPeopleUp(post: Call, tenantId: string): Promise<string[]> {
	const ids: string[] = [];
	for (const [index, name] of people.entries()) {
		const headers = {
			"x-tenant-id": tenantId,
			"user-agent": browsers[index % browsers.length] ?? "",
		};
		const user = { name, email: addressOf(name), password };
		const answer = await post<{ user: { id: string } }>("/tenant/sign-up/email", user, headers);
		ids.push(answer.user.id);
	}
	const first = { email: addressOf(people[0] ?? ""), password };
	for (const browser of [browsers[2], browsers[4]]) {
		const headers = { "x-tenant-id": tenantId, "user-agent": browser ?? "" };
		await post("/tenant/sign-in/email", first, headers);
	}
	return ids;
}
