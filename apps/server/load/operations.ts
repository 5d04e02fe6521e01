import { managementKey } from "./service-under-load";

/** One tenant with its user. All users have the same email and password. */
export type Member = {
	tenantId: string;
	userId: string;
	/** The client id of the tenant's OAuth config. */
	clientId: string;
	/** The cookies of the newest session. */
	cookie: string;
};

/** A leak is a response with data of another tenant. */
export type Outcome = "ok" | "leak" | { error: string };

type Operation = (url: string, member: Member, other: Member) => Promise<Outcome>;

const credentials = { email: "ada@example.com", password: "correct horse battery" };
const TIMEOUT_MS = 30_000;

function send(url: string, path: string, headers: Record<string, string>, body?: object) {
	return fetch(`${url}/api/auth${path}`, {
		...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
		headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
		signal: AbortSignal.timeout(TIMEOUT_MS),
	});
}

export async function createMember(url: string, index: number): Promise<Member> {
	const post = async (path: string, body: object, headers: Record<string, string>) => {
		const response = await send(url, path, headers, body);
		if (response.ok) return response;
		throw new Error(`${path}: ${response.status} ${await response.text()}`);
	};
	const manager = { authorization: `Bearer ${managementKey}` };
	const slug = `tenant-${index}`;
	const created = await post("/tenant/create", { name: slug, slug }, manager);
	const { id: tenantId } = (await created.json()) as { id: string };
	const clientId = `client-of-${slug}`;
	const client = { tenantId, providerId: "google", clientId, clientSecret: "secret" };
	await post("/tenant/oauth-config/register", client, manager);
	const signedUp = await post(
		"/tenant/sign-up/email",
		{ name: "Ada", ...credentials, tenantId },
		{},
	);
	const { user } = (await signedUp.json()) as { user: { id: string } };
	return { tenantId, userId: user.id, clientId, cookie: cookieOf(signedUp) };
}

const cookieOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";", 1)[0])
		.join("; ");

const errorOf = async (response: Response): Promise<Outcome> => ({
	error: `${response.status} ${(await response.text()).slice(0, 200)}`,
});

type Session = { user: { id: string; tenantId: string }; session: { tenantId: string } };

const belongsTo = ({ tenantId, userId }: Member, { user, session }: Session) =>
	user.id === userId && user.tenantId === tenantId && session.tenantId === tenantId;

const signIn: Operation = async (url, member) => {
	const headers = { "x-tenant-id": member.tenantId };
	const response = await send(url, "/tenant/sign-in/email", headers, credentials);
	if (!response.ok) return errorOf(response);
	member.cookie = cookieOf(response);
	return belongsTo(member, (await response.json()) as Session) ? "ok" : "leak";
};

/** Names no tenant, so the session decides. */
const session: Operation = async (url, member) => {
	const response = await send(url, "/get-session", { cookie: member.cookie });
	if (!response.ok) return errorOf(response);
	const found = (await response.json()) as Session | null;
	if (!found) return { error: "session not found" };
	return belongsTo(member, found) ? "ok" : "leak";
};

/** A session must not be found in another tenant. */
const sessionInOtherTenant: Operation = async (url, { cookie }, { tenantId }) => {
	const response = await send(url, "/get-session", { cookie, "x-tenant-id": tenantId });
	if (!response.ok) return errorOf(response);
	return (await response.json()) === null ? "ok" : "leak";
};

const socialSignIn: Operation = async (url, member) => {
	const headers = { "x-tenant-id": member.tenantId };
	const body = { provider: "google", callbackURL: "/" };
	const response = await send(url, "/tenant/sign-in/social", headers, body);
	if (!response.ok) return errorOf(response);
	const target = new URL(((await response.json()) as { url: string }).url);
	return target.searchParams.get("client_id") === member.clientId ? "ok" : "leak";
};

export const operations = {
	"sign-in": signIn,
	session,
	"session elsewhere": sessionInOtherTenant,
	"social start": socialSignIn,
};

export type OperationName = keyof typeof operations;

/** Ten requests in this order, again and again: pages read sessions more often than users sign in. */
export const mix: OperationName[] = [
	"sign-in",
	"session",
	"session",
	"social start",
	"session",
	"session elsewhere",
	"sign-in",
	"session",
	"session",
	"social start",
];
