import { cookieOf, credentials, type Member } from "./population";

/** What came of a request: right, refused or broken (and how), or an answer of another tenant. */
export type Outcome = { kind: "ok" } | { kind: "error"; what: string } | { kind: "crossing" };

export type Operation = (url: string, member: Member, other: Member) => Promise<Outcome>;

const ok: Outcome = { kind: "ok" };
const crossing: Outcome = { kind: "crossing" };
const patienceMs = 30_000;

async function send(url: string, headers: Record<string, string>, body?: object) {
	return fetch(url, {
		...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
		headers: { ...(body ? { "content-type": "application/json" } : {}), ...headers },
		signal: AbortSignal.timeout(patienceMs),
	});
}

async function failed(response: Response): Promise<Outcome> {
	return { kind: "error", what: `${response.status} ${(await response.text()).slice(0, 200)}` };
}

type Session = { user: { id: string; tenantId: string }; session: { tenantId: string } };

const isOf = ({ tenantId, userId }: Member, { user, session }: Session) =>
	user.id === userId && user.tenantId === tenantId && session.tenantId === tenantId;

const signIn: Operation = async (url, member) => {
	const headers = { "x-tenant-id": member.tenantId };
	const response = await send(`${url}/api/auth/tenant/sign-in/email`, headers, credentials);
	if (!response.ok) return failed(response);
	member.cookie = cookieOf(response);
	return isOf(member, (await response.json()) as Session) ? ok : crossing;
};

/** As a page asks that leaves the tenant to the cookie. */
const session: Operation = async (url, member) => {
	const response = await send(`${url}/api/auth/get-session`, { cookie: member.cookie });
	if (!response.ok) return failed(response);
	const found = (await response.json()) as Session | null;
	if (!found) return { kind: "error", what: "the session is not there" };
	return isOf(member, found) ? ok : crossing;
};

/** The same cookie in another tenant is nobody's. */
const foreignSession: Operation = async (url, { cookie }, { tenantId }) => {
	const response = await send(`${url}/api/auth/get-session`, { cookie, "x-tenant-id": tenantId });
	if (!response.ok) return failed(response);
	return (await response.json()) === null ? ok : crossing;
};

const socialStart: Operation = async (url, member) => {
	const headers = { "x-tenant-id": member.tenantId };
	const body = { provider: "google", callbackURL: "/" };
	const response = await send(`${url}/api/auth/tenant/sign-in/social`, headers, body);
	if (!response.ok) return failed(response);
	const address = new URL(((await response.json()) as { url: string }).url);
	return address.searchParams.get("client_id") === member.clientId ? ok : crossing;
};

export const operations = {
	"sign-in": signIn,
	session,
	"session elsewhere": foreignSession,
	"social start": socialStart,
};

export type OperationName = keyof typeof operations;

/** Of ten requests: a page asks for its session far more often than anybody signs in. */
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
