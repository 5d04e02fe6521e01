import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { type Listening, listen, listenAs } from "../support/providers/identity-provider/listen";
import { requireDestination } from "../support/providers/identity-provider/provider-hosts";
import { CREDENTIALS, EMAIL, MANAGEMENT_KEY } from "../support/worlds/instance";
import {
	addTenantAt,
	beginSocial,
	type ManagedApp,
	manageOverHttp,
	readSession,
} from "../support/worlds/social-app";
import { SLOW_PASSWORD } from "./app";
import type { RedirectedHost } from "./redirected-hosts";
import type { RunningApp } from "./runtime-process";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const provider = "gitlab";
const PUBLIC = "gitlab.tenant.example";
const REDIRECTING = "redirecting.tenant.example";
const REBOUND = "rebound.tenant.example";
const IMPOSTOR = "impostor.tenant.example";

/**
 * What every runtime must do, with the built packages, over HTTP.
 *
 * @param load what the load shedder says when all requests are done
 */
export function describeRuntime(
	start: (hosts: RedirectedHost[]) => Promise<RunningApp>,
	{ resolvesNames = true, load = { running: 0, waiting: 0 } as unknown } = {},
): void {
	let running: RunningApp;
	let app: ManagedApp;
	let guarded: ManagedApp;
	let nearby: IdentityProvider;
	let distant: IdentityProvider;
	let inside: Listening;
	let rogue: Listening;
	let asked: string[] = [];

	beforeAll(async () => {
		buildPackage();
		nearby = await startIdentityProvider(provider);
		distant = await startIdentityProvider(provider, { hosts: [PUBLIC] });
		inside = await listen((request, response) => {
			asked.push(`inside ${request.url}`);
			response.writeHead(200, { "content-type": "application/json" }).end("{}");
		});
		rogue = await listenAs([REDIRECTING, REBOUND], (request, response) => {
			asked.push(`${request.headers.host} ${request.url}`);
			const location = `http://127.0.0.1:${inside.port}/metadata`;
			response.writeHead(307, { location }).end();
		});
		running = await start([
			hostOf(PUBLIC),
			hostOf(REDIRECTING),
			{ ...hostOf(REBOUND), address: "127.0.0.1" },
			{ ...hostOf(REBOUND), name: IMPOSTOR, address: "8.8.4.4" },
		]);
		app = connect("/api/auth");
		guarded = connect("/guarded/auth");
	});

	const connect = (basePath: string) =>
		manageOverHttp({ baseURL: running.origin + basePath, handler: send });

	afterAll(async () => {
		await running?.close();
		await rogue?.close();
		await inside?.close();
		await distant?.close();
		await nearby?.close();
	});

	beforeEach(() => {
		asked = [];
	});

	/** A user with a session. */
	async function signUp(tenantId: string, email = EMAIL) {
		const browser = new Browser(app);
		const body = { ...CREDENTIALS, email, tenantId, name: `Of ${tenantId}` };
		const response = await browser.fetch("/tenant/sign-up/email", { body });
		expect([response.status, (await response.json()).user?.tenantId]).toEqual([200, tenantId]);
		return browser;
	}

	async function signIn(tenantId: string, password = CREDENTIALS.password) {
		const browser = new Browser(app);
		const body = { email: EMAIL, password, tenantId };
		const response = await browser.fetch("/tenant/sign-in/email", { body });
		return { browser, status: response.status, ...(await response.json()) };
	}

	async function manage(path: string, body?: unknown) {
		const headers = { authorization: `Bearer ${MANAGEMENT_KEY}` };
		const response = await new Browser(app).fetch(path, { body, headers });
		return { status: response.status, body: await response.json() };
	}

	it("loads the built packages", () => {
		const folders = running.packageUrls.map(
			(url) => /\/packages\/([^/]+)\/dist\/index\.mjs$/.exec(url)?.[1],
		);
		expect(folders.sort()).toEqual(["fast", "load-shedder", "tenant-auth"]);
	});

	it("serves the same with the fast handler, behind the load shedder where it works", async () => {
		const fast = connect("/fast/auth");
		const [a, b] = [await fast.createTenant(), await fast.createTenant()];
		const browser = new Browser(fast);
		const body = { ...CREDENTIALS, tenantId: a, name: "Ada" };
		expect((await browser.fetch("/tenant/sign-up/email", { body })).status).toBe(200);
		expect(await readSession(browser)).toMatchObject({ user: { email: EMAIL, tenantId: a } });
		expect(await readSession(browser, { "x-tenant-id": b })).toBeNull();
		expect((await browser.fetch("/sign-out", { body: {} })).status).toBe(200);
		expect(await readSession(browser)).toBeNull();
		const seen = await fetch(`${running.origin}/load`, { headers: { connection: "close" } });
		expect({ load: await seen.json() }).toMatchObject({ load });
	});

	it("signs the same person up and in, in two tenants", async () => {
		const [a, b] = [await app.createTenant(), await app.createTenant()];
		const inA = await signUp(a);
		expect(await signIn(b)).toMatchObject({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" });
		await signUp(b);
		const again = await signIn(b);
		expect(await readSession(again.browser)).toMatchObject({
			user: { email: EMAIL, tenantId: b },
			session: { tenantId: b },
		});
		expect(await readSession(inA, { "x-tenant-id": b })).toBeNull();
		expect(await readSession(inA)).toMatchObject({ user: { tenantId: a } });
		expect(await signIn(a, "a wrong password")).toMatchObject({ status: 401 });
		const taken = { ...CREDENTIALS, name: "Ada", tenantId: a };
		const second = await new Browser(app).fetch("/tenant/sign-up/email", { body: taken });
		expect(second.status).toBe(422);
		expect((await inA.fetch("/sign-out", { body: {} })).status).toBe(200);
		expect(await readSession(inA)).toBeNull();
	});

	it("keeps interleaved requests of many tenants apart", async () => {
		const tenants = await Promise.all(Array.from({ length: 8 }, () => app.createTenant()));
		const browsers = await Promise.all(tenants.map((tenantId) => signUp(tenantId)));
		const paths = ["/get-session", "/list-sessions", "/list-accounts", "/tenant/current"];
		// More connections at once than this, and a busy machine resets some of them.
		const callAll = async (browser: Browser, own: string | undefined) => {
			for (let n = 0; n < 24; n += 1) {
				const path = String(paths[n % paths.length]);
				const response = await browser.fetch(path);
				const answer = await response.text();
				expect([path, response.status, answer]).toEqual([path, 200, expect.stringMatching(/id"/)]);
				const others = tenants.filter((id) => id !== own && answer.includes(id));
				expect([path, others]).toEqual([path, []]);
			}
		};
		await Promise.all(browsers.map((browser, at) => callAll(browser, tenants[at])));
		const sessions = await Promise.all(browsers.map((browser) => readSession(browser)));
		expect(sessions.map((it) => it?.user.tenantId)).toEqual(tenants);
	});

	it("serves others after callers have disconnected", async () => {
		const tenantId = await app.createTenant();
		await signUp(tenantId);
		const gone = new AbortController();
		const calls = Array.from({ length: 6 }, () =>
			send(
				new Request(`${app.baseURL}/tenant/sign-in/email`, {
					method: "POST",
					headers: { "content-type": "application/json", origin: running.origin },
					body: JSON.stringify({ email: EMAIL, password: SLOW_PASSWORD, tenantId }),
					signal: gone.signal,
				}),
			),
		);
		await expect
			.poll(async () => (await send(new Request(`${running.origin}/slow-verifications`))).json())
			.toBeGreaterThan(0);
		gone.abort();
		await Promise.allSettled(calls);
		expect(await signIn(tenantId)).toMatchObject({ status: 200 });
	});

	it("signs in with the OAuth client of a tenant", async () => {
		const { tenantId } = await addTenantAt(app, provider, nearby);
		const person = nearby.addPerson({ email: "social@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.pathname).toBe("/home");
		expect(await readSession(browser)).toMatchObject({ user: { email: person.email, tenantId } });
	});

	it("manages tenants, and rejects callers without the key", async () => {
		const slug = "managed-tenant";
		const created = await manage("/tenant/create", { name: "Managed", slug });
		expect(created).toMatchObject({ status: 200, body: { slug } });
		const { id: tenantId } = created.body;
		expect(await manage("/tenant/create", { name: "Again", slug })).toMatchObject({ status: 409 });
		await manage("/tenant/update", { tenantId, name: "Renamed" });
		expect((await manage("/tenant/list?limit=100")).body).toContainEqual(
			expect.objectContaining({ id: tenantId, name: "Renamed" }),
		);
		const stranger = await new Browser(app).fetch("/tenant/list");
		expect(stranger.status).toBe(401);
	});

	it("admits nobody to a suspended or deleted tenant", async () => {
		const tenantId = await app.createTenant();
		const browser = await signUp(tenantId);
		await manage("/tenant/suspend", { tenantId });
		expect(await signIn(tenantId)).toMatchObject({ status: 403, code: "TENANT_SUSPENDED" });
		expect(await readSession(browser)).toBeNull();
		await manage("/tenant/resume", { tenantId });
		expect(await readSession(browser)).toMatchObject({ user: { tenantId } });
		await app.deleteTenant(tenantId);
		expect(await signIn(tenantId)).toMatchObject({ status: 404, code: "TENANT_NOT_FOUND" });
		expect(await readSession(browser)).toBeNull();
	});

	describe("the provider that a tenant chose", () => {
		const failed = "/failed?error=invalid_code";

		/** Where a sign-in ends that begins in a tenant with such a provider. */
		async function signInAt(name: string): Promise<string> {
			const tenantId = await guarded.createTenant();
			const client = { clientId: "client", clientSecret: "secret" };
			const options = { issuer: `https://${name}` };
			await guarded.registerConfig({ tenantId, providerId: provider, ...client, options });
			const { browser, url } = await beginSocial(guarded, { tenantId, provider });
			const state = new URL(url).searchParams.get("state");
			const visit = await browser.follow(
				`${guarded.callbackOf(provider)}?code=${crypto.randomUUID()}&state=${state}`,
			);
			return visit.url.pathname + visit.url.search;
		}

		it("signs in if it is public", async () => {
			const { tenantId } = await addTenantAt(guarded, provider, distant);
			const person = distant.addPerson({ email: EMAIL });
			const { browser, url } = await beginSocial(guarded, { tenantId, provider });
			await browser.follow(url, { as: person });
			expect(await readSession(browser)).toMatchObject({ user: { email: EMAIL, tenantId } });
		});

		it("cannot redirect the server", async () => {
			expect(await signInAt(REDIRECTING)).toBe(failed);
			expect(asked).toEqual([`${REDIRECTING} /oauth/token`]);
		});

		it("needs a certificate for its name", async () => {
			expect(await signInAt(IMPOSTOR)).toBe(failed);
			expect(asked).toEqual([]);
		});

		it.runIf(resolvesNames)("must not resolve to a private address", async () => {
			expect(await signInAt(REBOUND)).toBe(failed);
			expect(asked).toEqual([]);
		});
	});
}

/** On a connection of its own: workerd closes an idle one at any time, maybe just when it is used again. */
function send(request: Request): Promise<Response> {
	request.headers.set("connection", "close");
	return fetch(request, { redirect: "manual" });
}

/** Builds the package, if it has changed. */
export function buildPackage(): void {
	const build = ["scripts/ready.mjs", "--no-install"];
	execFileSync(process.execPath, build, { cwd: root, stdio: "pipe" });
}

function hostOf(name: string): RedirectedHost {
	const { port, certificate, addresses } = requireDestination(name);
	return { name, address: String(addresses[0]), port, certificate };
}
