import { randomUUID } from "node:crypto";
import { expo } from "@better-auth/expo";
import { createAuthMiddleware } from "better-auth/api";
import { parseSetCookieHeader } from "better-auth/cookies";
import { magicLink } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { CREDENTIALS } from "../support/worlds/instance";
import { addTenantAt, hostProvider, makeSocialApp } from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const google = useIdentityProvider("google");

/** The app's hook that changes where the callback leads. */
const throughWelcomePage = createAuthMiddleware(async (ctx) => {
	const location = ctx.context.responseHeaders?.get("location");
	if (!ctx.path.startsWith("/callback") || !location?.includes("/welcome")) return;
	ctx.setHeader("location", `/first?next=${encodeURIComponent(location)}`);
	ctx.setHeader("x-app", "hook");
});

/** An app for phones. One tenant has its own client at Google, one uses that of the app. */
async function setUp() {
	const callback = "https://app.example.com/api/auth/callback/google";
	const redirectURIs = [callback, callback.replace("/callback", "/tenant/callback")];
	const hostClient = await google.addClient({ redirectURIs });
	const links: string[] = [];
	const app = await makeSocialApp({
		emailAndPassword: cheapPasswords,
		trustedOrigins: ["myapp://"],
		socialProviders: hostProvider("google", google, hostClient),
		plugins: [expo(), magicLink({ sendMagicLink: async ({ url }) => void links.push(url) })],
		hooks: { after: throughWelcomePage },
	});
	const own = await addTenantAt(app, "google", google);
	const shared = await app.createTenant();
	return { ...app, links, own: own.tenantId, shared };
}

const world = useWorld(setUp);
type World = Awaited<ReturnType<typeof setUp>>;

/** What the app on the phone sends. It has no browser's cookies and no browser's origin. */
function send(app: World, path: string, body: object, headers: Record<string, string> = {}) {
	return app.handler(
		new Request(`${app.baseURL}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", "expo-origin": "myapp://", ...headers },
			body: JSON.stringify(body),
		}),
	);
}

/** As the client of the plugin: it starts the flow, and the browser of the phone finishes it. */
async function signIn(
	app: World,
	path: string,
	{ callbackURL = "myapp:///home", ...body }: Record<string, string | undefined>,
	headers: Record<string, string> = {},
) {
	const answer = await send(app, path, { provider: "google", callbackURL, ...body }, headers);
	const { url }: { url: string } = await answer.json();
	const proxy = new URL(`${app.baseURL}/expo-authorization-proxy`);
	proxy.searchParams.set("authorizationURL", url);
	const person = google.addPerson({ email: `${randomUUID()}@example.com` });
	return { person, visit: await new Browser(app).follow(proxy, { as: person }) };
}

/** The session of the cookie that the app gets in its URL. */
async function sessionIn(app: World, url: URL, tenant?: string) {
	const cookies = parseSetCookieHeader(url.searchParams.get("cookie") ?? "");
	const cookie = [...cookies]
		.map(([name, { value }]) => `${name}=${encodeURIComponent(decodeURIComponent(value))}`)
		.join("; ");
	const response = await app.handler(
		new Request(`${app.baseURL}/get-session`, {
			headers: { cookie, ...(tenant ? { "x-tenant-id": tenant } : {}) },
		}),
	);
	return response.json();
}

const ways: [string, (app: World, tenantId: string) => Parameters<typeof signIn>][] = [
	["/tenant/sign-in/social", (app, tenantId) => [app, "/tenant/sign-in/social", { tenantId }]],
	[
		"/sign-in/social and the header",
		(app, tenantId) => [app, "/sign-in/social", {}, { "x-tenant-id": tenantId }],
	],
];
const clients: [string, "own" | "shared"][] = [
	["the tenant's client", "own"],
	["the app's client", "shared"],
];
const cases = ways.flatMap(([way, start]) =>
	clients.map(([client, tenant]) => [way, client, start, tenant] as const),
);

describe("a social sign-in of an Expo app", () => {
	it.each(cases)("by %s with %s ends in the app, with the session", async (_, __, start, name) => {
		const app = world();
		const tenantId = app[name];
		const { person, visit } = await signIn(...start(app, tenantId));
		expect(visit.url.href).toMatch(/^myapp:\/\/\/home\?cookie=/);
		expect(await sessionIn(app, visit.url)).toMatchObject({
			user: { email: person.email, tenantId },
			session: { tenantId },
		});
		const other = name === "own" ? app.shared : app.own;
		expect(await sessionIn(app, visit.url, other)).toBeNull();
	});

	it("ends on the platform in the same way", async () => {
		const app = world();
		const { person, visit } = await signIn(app, "/sign-in/social", {});
		expect(visit.url.href).toMatch(/^myapp:\/\/\/home\?cookie=/);
		expect((await sessionIn(app, visit.url)).user).toMatchObject({
			email: person.email,
			tenantId: null,
		});
	});

	it.each(cases)("by %s with %s sets each cookie once", async (_, __, start, name) => {
		const app = world();
		const { visit } = await signIn(...start(app, app[name]));
		const set = visit.url.searchParams.get("cookie") ?? "";
		expect(set.match(/session_token=/g)).toHaveLength(1);
	});

	it("does not hand the session to an app that is not trusted", async () => {
		const app = world();
		const answer = await send(app, "/tenant/sign-in/social", {
			tenantId: app.own,
			provider: "google",
			callbackURL: "evil:///home",
		});
		expect(answer.status).toBe(403);
	});
});

describe("an after-hook of the app on the callback", () => {
	it.each(cases)("by %s with %s decides where it leads", async (_, __, start, name) => {
		const app = world();
		const [, path, body, headers] = start(app, app[name]);
		const { visit } = await signIn(app, path, { ...body, callbackURL: "/welcome" }, headers);
		expect(visit.url.pathname + visit.url.search).toBe("/first?next=%2Fwelcome");
	});
});

describe("other ways of an Expo app", () => {
	it("a magic link of a tenant hands the session to the app", async () => {
		const app = world();
		const email = "ada@example.com";
		const body = { email, callbackURL: "myapp:///home" };
		await send(app, "/sign-in/magic-link", body, { "x-tenant-id": app.own });
		const { url } = await new Browser(app).follow(app.links[0] ?? "");
		expect(url.href).toMatch(/^myapp:\/\/\/home\?cookie=/);
		expect((await sessionIn(app, url)).user).toMatchObject({ email, tenantId: app.own });
	});

	it.each([
		["myapp://", 200],
		["evil://", 403],
	])("the origin %s counts at our endpoints as at core's", async (origin, status) => {
		const app = world();
		const user = { tenantId: app.own, name: "Ada", ...CREDENTIALS };
		await send(app, "/tenant/sign-up/email", user);
		const headers = { cookie: "better-auth.session_token=old", "expo-origin": origin };
		const atOurs = await send(app, "/tenant/sign-in/email", user, headers);
		const atCores = await send(app, "/sign-in/email", user, { ...headers, "x-tenant-id": app.own });
		expect([atOurs.status, atCores.status]).toEqual([status, status]);
	});
});
