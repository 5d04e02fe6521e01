import { randomUUID } from "node:crypto";
import { electron } from "@better-auth/electron";
import { toNodeHandler } from "better-auth/node";
import { generateCodeChallenge } from "better-auth/oauth2";
import { afterAll, describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { type Listening, listen } from "../support/providers/identity-provider/listen";
import { CREDENTIALS } from "../support/worlds/instance";
import { addTenantAt, hostProvider, makeSocialApp } from "../support/worlds/social-app";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const VERIFIER = "the code verifier of the Electron app, which is long";
const STATE = "the state of the Electron app";

/** What the Electron app adds to the URL that it opens in the browser. */
const flow = async () => ({
	client_id: "electron",
	state: STATE,
	code_challenge: await generateCodeChallenge(VERIFIER),
});

const exchange = (token: string) => ({ token, state: STATE, code_verifier: VERIFIER });

describe.each(combine(orders, stores))("electron, %s", (_, options) => {
	const world = useWorld(() => makeTwoUsers({ plugins: [electron()], ...options() }));

	it.each(["/tenant/sign-in/email", "/sign-in/email"])(
		"a sign-in at %s gives the app a code for a session of the tenant",
		async (path) => {
			const { call, a, b, ada, bob, sessionOf } = world();
			for (const [tenant, user] of [[a, ada] as const, [b, bob] as const]) {
				const signedIn = await call(path, { tenant, query: await flow(), body: CREDENTIALS });
				const code = signedIn.body.electron_authorization_code;
				const answer = await call("/electron/token", { body: exchange(code) });
				expect([answer.status, answer.body.user?.id]).toEqual([200, user.body.user.id]);
				expect((await sessionOf(answer.cookie)).session.tenantId).toBe(tenant);
			}
		},
	);

	it("a user who is signed in gets a code, and it works in their tenant only", async () => {
		const { call, a, b, ada } = world();
		const { body } = await call("/electron/transfer-user", {
			cookie: ada.cookie,
			query: await flow(),
			body: {},
		});
		const redeem = (tenant: string) =>
			call("/electron/token", { tenant, body: exchange(body.electron_authorization_code) });
		const atB = await redeem(b);
		expect([atB.status, atB.body.code, atB.cookie]).toEqual([404, "INVALID_TOKEN", ""]);
		const atA = await redeem(a);
		expect(atA.body.user.id).toBe(ada.body.user.id);
		expect((await redeem(a)).status).toBe(404);
	});

	it("a user of another tenant gets no code", async () => {
		const { call, b, ada } = world();
		const { status } = await call("/electron/transfer-user", {
			cookie: ada.cookie,
			tenant: b,
			query: await flow(),
			body: {},
		});
		expect(status).toBe(401);
	});
});

describe("a social sign-in that an Electron app starts", () => {
	const gitlab = useIdentityProvider("gitlab");
	let server: Listening | undefined;
	afterAll(() => server?.close());

	/** The plugin calls its own server, so it needs one. */
	async function setUp() {
		let handle: ReturnType<typeof toNodeHandler> | undefined;
		server = await listen((request, response) => void handle?.(request, response));
		const baseURL = `http://127.0.0.1:${server.port}`;
		const redirectURIs = ["/callback", "/tenant/callback"].map(
			(path) => `${baseURL}/api/auth${path}/gitlab`,
		);
		const client = await gitlab.addClient({ redirectURIs });
		const app = await makeSocialApp({
			baseURL,
			plugins: [electron()],
			socialProviders: hostProvider("gitlab", gitlab, client),
		});
		handle = toNodeHandler(app.handler);
		const own = await addTenantAt(app, "gitlab", gitlab);
		return { ...app, own: own.tenantId, shared: await app.createTenant() };
	}
	const world = useWorld(setUp);

	it.each([
		["the client of the tenant", "own"],
		["the client of the app", "shared"],
		["the platform", "none"],
	] as const)("works with %s", async (_, name) => {
		const app = world();
		const tenantId = name === "none" ? null : app[name];
		const browser = new Browser(app);
		const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
		const start = new URL(`${app.baseURL}/electron/init-oauth-proxy`);
		const query = { provider: "gitlab", ...(await flow()), ...(tenantId ? { tenantId } : {}) };
		for (const [key, value] of Object.entries(query)) start.searchParams.set(key, value);
		await browser.follow(start, { as: person });
		const cookie = browser.cookies.header(start, { crossSite: false, method: "GET" });
		const redirect = /better-auth\.electron=([^;]+)/.exec(cookie ?? "")?.[1] ?? "";
		const token = Buffer.from(decodeURIComponent(redirect), "base64url").toString();
		const { identifier } = JSON.parse(token);
		const device = new Browser(app);
		const answer = await device.fetch("/electron/token", { body: exchange(identifier) });
		expect(await answer.json()).toMatchObject({ user: { email: person.email, tenantId } });
	});

	it("accepts a request that only inherits from Request, as some servers make them", async () => {
		const app = world();
		const start = new URL(`${app.baseURL}/electron/init-oauth-proxy`);
		const query = { provider: "gitlab", ...(await flow()), tenantId: app.own };
		for (const [key, value] of Object.entries(query)) start.searchParams.set(key, value);
		const answer = await app.handler(inheriting(new Request(start)));
		expect(answer.status).toBe(302);
	});
});

/** `new Request()` does not accept it. TanStack Start and Nitro get such requests from srvx. */
function inheriting(request: Request): Request {
	return new Proxy(Object.create(Request.prototype), {
		get(target, name) {
			const value = typeof name === "symbol" ? target[name] : Reflect.get(request, name);
			return typeof value === "function" ? value.bind(request) : value;
		},
	});
}
