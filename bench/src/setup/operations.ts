import { makeSignature } from "better-auth/crypto";
import { MANAGEMENT_KEY, ORIGIN, PROVIDER, SECRET } from "../host/host";
import {
	emailOf,
	PASSWORD,
	type Population,
	sessionToken,
	tenantId,
	tenantOf,
} from "../seeding/identities";

export interface Host {
	handler(request: Request): Promise<Response>;
}

/** Makes a request about the user or tenant with that number, ready to be handled. */
export type RequestMaker = (n: number) => Promise<Request> | Request;

/** What is measured, where there is something like it in plain Better Auth as well. */
export type SharedOperation =
	| "sign-up"
	| "sign-in"
	| "get-session"
	| "get-session, tenant named"
	| "social start"
	| "callback";

export type OperationName = SharedOperation | "tenant get" | "config list" | "tenant create";

/** Plain Better Auth's way to do it, on a database that was seeded for it. */
export function plainOperations(
	host: Host,
	population: Population,
): Record<SharedOperation, RequestMaker> {
	const one = { ...population, tenants: 1 };
	return {
		"sign-up": () => post("/sign-up/email", newPerson()),
		"sign-in": (n) =>
			post("/sign-in/email", { email: emailOf(n % one.users, one), password: PASSWORD }),
		"get-session": async (n) => get("/get-session", await sessionCookie(n % one.users)),
		"get-session, tenant named": async (n) =>
			get("/get-session", await sessionCookie(n % one.users)),
		"social start": () => post("/sign-in/social", { provider: PROVIDER, callbackURL: "/home" }),
		callback: () =>
			begunFlow(host, post("/sign-in/social", { provider: PROVIDER, callbackURL: "/home" })),
	};
}

/** The same in a tenant: each user in the one that the seed put it into. */
export function tenantOperations(
	host: Host,
	population: Population,
): Record<OperationName, RequestMaker> {
	const { tenants, users } = population;
	const ofUser = (n: number) => ({
		"x-tenant-id": tenantId(tenantOf(n % users, population)),
	});
	const ofTenant = (n: number) => ({ "x-tenant-id": tenantId(n % tenants) });
	const management = { authorization: `Bearer ${MANAGEMENT_KEY}` };
	const socialStart: RequestMaker = (n) =>
		post("/tenant/sign-in/social", { provider: PROVIDER, callbackURL: "/home" }, ofTenant(n));
	return {
		"sign-up": (n) => post("/tenant/sign-up/email", newPerson(), ofTenant(n)),
		"sign-in": (n) =>
			post(
				"/tenant/sign-in/email",
				{ email: emailOf(n % users, population), password: PASSWORD },
				ofUser(n),
			),
		"get-session": async (n) => get("/get-session", await sessionCookie(n % users)),
		"get-session, tenant named": async (n) =>
			get("/get-session", { ...(await sessionCookie(n % users)), ...ofUser(n) }),
		"social start": socialStart,
		callback: async (n) => begunFlow(host, await socialStart(n)),
		"tenant get": (n) => get(`/tenant/get?id=${tenantId(n % tenants)}`, management),
		"config list": (n) =>
			get(`/tenant/oauth-config/list?tenantId=${tenantId(n % tenants)}`, management),
		"tenant create": () => {
			const slug = `new-${counter()}`;
			return post("/tenant/create", { name: slug, slug }, management);
		},
	};
}

/** Passes a request to the host and reads the response. An error ends the measurement. */
export async function perform({ handler }: Host, request: Request): Promise<void> {
	const response = await handler(request);
	const text = await response.text();
	const failed = response.headers.get("location")?.includes("error=");
	if (response.status >= 400 || failed || text === "null") {
		const { pathname } = new URL(request.url);
		throw new Error(
			`${pathname} returned ${response.status} ${response.headers.get("location") ?? text}`,
		);
	}
}

let made = 0;
/** Unlike any other of this run, and of another run on the same database. */
const counter = () => `${process.pid}-${Date.now().toString(36)}-${++made}`;

const newPerson = () => ({
	name: "New Person",
	email: `new-${counter()}@example.com`,
	password: PASSWORD,
});

const api = (path: string) => `${ORIGIN}/api/auth${path}`;

export const get = (path: string, headers: Record<string, string> = {}) =>
	new Request(api(path), { headers });

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
	new Request(api(path), {
		method: "POST",
		headers: { "content-type": "application/json", origin: ORIGIN, ...headers },
		body: JSON.stringify(body),
	});

/** The cookie of a seeded session. */
export async function sessionCookie(user: number): Promise<{ cookie: string }> {
	const token = sessionToken(user);
	const signed = encodeURIComponent(`${token}.${await makeSignature(token, SECRET)}`);
	return { cookie: `better-auth.session_token=${signed}` };
}

/** A browser that comes back from the provider, as the same person each time in each tenant. */
async function begunFlow(host: Host, start: Request): Promise<Request> {
	const { pathname } = new URL(start.url);
	const response = await host.handler(start);
	const { url } = (await response.json()) as { url: string };
	const state = String(new URL(url).searchParams.get("state"));
	const cookie = response.headers
		.getSetCookie()
		.map((line) => line.split(";")[0])
		.join("; ");
	const callback = pathname.includes("/tenant/") ? "/tenant/callback" : "/callback";
	const query = new URLSearchParams({ code: "person-at-gitlab", state });
	return get(`${callback}/${PROVIDER}?${query}`, { cookie });
}
