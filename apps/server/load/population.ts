import { inParallel } from "./in-parallel";
import type { LoadOptions } from "./options";
import { managementKey, type ServiceUnderLoad } from "./service-under-load";

/** One tenant with its user. All users have the same address and password: only the tenant differs. */
export type Member = {
	tenantId: string;
	userId: string;
	/** Of the tenant's own OAuth client. */
	clientId: string;
	/** The newest session, as a browser keeps it. */
	cookie: string;
};

export const credentials = { email: "ada@example.com", password: "correct horse battery" };

export async function populate(
	{ url }: Pick<ServiceUnderLoad, "url">,
	{ tenants, concurrency }: LoadOptions,
): Promise<Member[]> {
	const members: Member[] = [];
	await inParallel(concurrency, tenants, async (index) => {
		members[index] = await makeMember(url, index);
	});
	return members;
}

async function makeMember(url: string, index: number): Promise<Member> {
	const post = async (path: string, body: object, headers: Record<string, string>) => {
		const response = await fetch(`${url}/api/auth${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		});
		if (response.ok) return response;
		throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
	};
	const manager = { authorization: `Bearer ${managementKey}` };
	const slug = `tenant-${index}`;
	const created = await post("/tenant/create", { name: slug, slug }, manager);
	const { id: tenantId } = (await created.json()) as { id: string };
	const clientId = `client-of-${slug}`;
	const client = { tenantId, providerId: "google", clientId, clientSecret: "secret" };
	await post("/tenant/oauth-config/register", client, manager);
	const user = { name: "Ada", ...credentials, tenantId };
	const signedUp = await post("/tenant/sign-up/email", user, {});
	const answer = (await signedUp.json()) as { user: { id: string } };
	return { tenantId, userId: answer.user.id, clientId, cookie: cookieOf(signedUp) };
}

export const cookieOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";", 1)[0])
		.join("; ");
