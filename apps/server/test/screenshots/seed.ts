import {
	acmeApplications,
	acmeBranding,
	acmeProviders,
	browsers,
	emailOf,
	people,
	tenants,
} from "./sample-data";

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

/** Fills a service through its API. @returns the ids of the tenant and the user to show */
export async function seed(baseUrl: string, managementKey: string) {
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
	for (const application of acmeApplications) {
		await manage("/application/create", { tenantId, ...application });
	}
	await manage("/domain/add", { tenantId, host: "login.acme.example", purpose: "login" });
	await manage("/domain/add", { tenantId, host: "acme.example", purpose: "email" });
	const url = "https://hooks.acme.example/tenant-auth";
	const webhook = {
		tenantId,
		url,
		description: "CRM",
		eventTypes: ["user.created", "user.deleted"],
	};
	const { id: webhookId } = await manage<{ id: string }>("/webhook/create", webhook);
	await manage("/webhook/test", { tenantId, webhookId });
	await manage("/suspend", { tenantId: tenantIds.get("lumen") });
	const invitation = { tenantId, email: "grace.hopper@acme.example", role: "admin" };
	await manage("/invitation/create", invitation);
	await manage("/user/disable", { tenantId, userId: userIds[5] });
	await manage("/user/update", { tenantId, userId: userIds[0], role: "owner" });
	await manage("/user/send-password-reset", { tenantId, userId: userIds[3] });
	await manage("/user/revoke-sessions", { tenantId, userId: userIds[7] });
	return { tenantId, userId: userIds[0] ?? "" };
}

async function signUpPeople(post: Call, tenantId: string): Promise<string[]> {
	const ids: string[] = [];
	for (const [index, name] of people.entries()) {
		const headers = {
			"x-tenant-id": tenantId,
			"user-agent": browsers[index % browsers.length] ?? "",
		};
		const user = { name, email: emailOf(name), password };
		const answer = await post<{ user: { id: string } }>("/tenant/sign-up/email", user, headers);
		ids.push(answer.user.id);
	}
	const first = { email: emailOf(people[0] ?? ""), password };
	for (const browser of [browsers[2], browsers[4]]) {
		const headers = { "x-tenant-id": tenantId, "user-agent": browser ?? "" };
		await post("/tenant/sign-in/email", first, headers);
	}
	for (const [index, email] of [first.email, "nobody@acme.example", first.email].entries()) {
		const headers = { "x-tenant-id": tenantId, "user-agent": browsers[index] ?? "" };
		const wrong = { email, password: "not the password" };
		await post("/tenant/sign-in/email", wrong, headers).catch(() => null);
	}
	return ids;
}
