import {
	introspect,
	introspectElsewhere,
	REDIRECT_URI,
	refresh,
	signInAtApp,
} from "./openid-operations";
import { errorOf, type Member, type Operation, TIMEOUT_MS } from "./operation";
import { managementKey } from "./service-under-load";

const credentials = { email: "ada@example.com", password: "correct horse battery" };

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
	const web = { tenantId, name: "App", type: "web", redirectUris: [REDIRECT_URI] };
	const registered = await post(
		"/tenant/application/create",
		{ ...web, firstParty: true },
		manager,
	);
	const app = (await registered.json()) as Member["app"];
	const signedUp = await post(
		"/tenant/sign-up/email",
		{ name: "Ada", ...credentials, tenantId },
		{},
	);
	const { user } = (await signedUp.json()) as { user: { id: string } };
	const cookie = cookieOf(signedUp);
	return { tenantId, slug, userId: user.id, clientId, cookie, app, tokens: null };
}

const cookieOf = (response: Response) =>
	response.headers
		.getSetCookie()
		.map((cookie) => cookie.split(";", 1)[0])
		.join("; ");

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
	"sign-in at app": signInAtApp,
	refresh,
	introspect,
	"introspect elsewhere": introspectElsewhere,
};

export type OperationName = keyof typeof operations;

/** In this order, again and again: apps and pages ask about sessions more often than users sign in. */
export const mix: OperationName[] = [
	"sign-in",
	"session",
	"session",
	"sign-in at app",
	"introspect",
	"session",
	"refresh",
	"session elsewhere",
	"introspect elsewhere",
	"sign-in",
	"session",
	"introspect",
	"refresh",
	"session",
	"social start",
	"introspect",
];
