import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { fileOfDocument, filesOfDocument } from "./documented-app";
import {
	atTheEndOfFile,
	type IssuingTenant,
	machineToken,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";

const atTheEnd = atTheEndOfFile();

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	globex = await issuers.newTenant("globex");
});

/** Sets variables that the snippets read when they are loaded. */
function withVariables(variables: Record<string, string>): void {
	Object.assign(process.env, variables);
	onTestFinished(() => {
		for (const name of Object.keys(variables)) delete process.env[name];
	});
}

it("the API with Hono accepts a token of the tenant, and nothing else", async () => {
	withVariables({ ISSUER: acme.issuer });
	const { api } = (await import(pathToFileURL(fileOfDocument("hono-api.mjs")).href)) as {
		api: { request: (path: string, init: RequestInit) => Promise<Response> };
	};
	const ask = (authorization: string) => api.request("/notes", { headers: { authorization } });
	const token = await machineToken(issuers, acme);
	const answer = await ask(`Bearer ${token}`);
	expect(await answer.json()).toEqual({ tenant: acme.tenantId, notes: [] });
	for (const wrong of [
		"",
		"Bearer x",
		`Basic ${token}`,
		`Bearer ${await machineToken(issuers, globex)}`,
	]) {
		expect((await ask(wrong)).status).toBe(401);
	}
});

type Handler = { GET: (request: Request) => Promise<Response> };

it("the route handlers of Next.js sign a user in", async () => {
	const app = "http://localhost:4000";
	const { clientId, clientSecret } = await issuers.createApplication(acme.tenantId, {
		redirectUris: [`${app}/callback`],
	});
	withVariables({
		...{ ISSUER: acme.issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret ?? "" },
		...{ APP_URL: app, SESSION_SECRET: "a secret of the app with 32 characters" },
	});
	const routes = ["sign-in", "callback", "me"];
	const names = routes.map((route) => `app/${route}/route.js`);
	const directory = filesOfDocument("lib/openid.js", ...names);
	writeFileSync(join(directory, "package.json"), '{ "type": "module" }');
	const call = async (path: string, cookie = "") => {
		const url = new URL(path, app);
		const file = join(directory, `app${url.pathname}/route.js`);
		const { GET } = (await import(pathToFileURL(file).href)) as Handler;
		const response = await GET(new Request(url, { headers: { cookie } }));
		const [set = ""] = response.headers.getSetCookie();
		return { response, location: response.headers.get("location") ?? "", set };
	};
	const cookieOf = (set: string) => set.split(";")[0] ?? "";

	expect((await call("/me")).response.status).toBe(401);
	const started = await call("/sign-in");
	expect(started.set).toMatch(/; HttpOnly; SameSite=Lax$/);
	const browser = newBrowser(issuers);
	const page = await browser.open(started.location);
	const { url: callback = "" } = await browser.signIn(acme, page.url);
	expect((await call(callback)).location).toBe(`${app}/sign-in`);
	const wrongState = callback.replace(/state=[^&]+/, "state=other");
	expect((await call(wrongState, cookieOf(started.set))).response.status).toBe(400);
	const finished = await call(callback, cookieOf(started.set));
	expect(finished.location).toBe(`${app}/`);
	const me = await call("/me", `other=1; ${cookieOf(finished.set)}`);
	expect(await me.response.json()).toEqual({ user: acme.userId, tenant: acme.tenantId });
	// The cookie of a sign-in is not a session.
	const asSession = cookieOf(started.set).replace(/^sign-in=/, "session=");
	expect((await call("/me", asSession)).response.status).toBe(401);
});
