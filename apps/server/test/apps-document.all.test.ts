import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../../testing/ports";
import { blocksRunBy } from "../../../testing/shell-blocks";
import { fileOfDocument, startDocumentedApp } from "./documented-app";
import {
	API,
	atTheEndOfFile,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	machineToken,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";
import { hasCurl, serverWithShell } from "./shell-blocks";

const atTheEnd = atTheEndOfFile();

let issuers: RunningIssuers;
let acme: IssuingTenant;
let job: CreatedApplication;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, {
		BEARER_SESSIONS: "true",
		DPOP: "true",
		SESSION_TOKENS: "true",
	});
	acme = await issuers.newTenant("acme");
	job = await issuers.createApplication(acme.tenantId, {
		type: "machine",
		redirectUris: [],
		postLogoutRedirectUris: [],
	});
	// The blocks read them when they are loaded.
	process.env.ISSUER = acme.issuer;
	process.env.AUTH_URL = issuers.baseUrl;
	atTheEnd(() => {
		delete process.env.ISSUER;
		delete process.env.AUTH_URL;
	});
});

async function accessToken(tenant = acme, application = job): Promise<string> {
	const config = await connect(tenant, application);
	return (await openid.clientCredentialsGrant(config, { resource: API })).access_token;
}

it("the app in Node signs a user in and out", async () => {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const application = await issuers.createApplication(acme.tenantId, {
		redirectUris: [`${origin}/callback`],
		postLogoutRedirectUris: [`${origin}/`],
	});
	await startDocumentedApp(port, acme.issuer, application);

	const browser = newBrowser(issuers);
	let cookie = "";
	/** The app's own cookie: the browser of the tests has only those of the service. */
	const atApp = async (path: string) => {
		const response = await fetch(new URL(path, origin), {
			headers: { cookie },
			redirect: "manual",
		});
		cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
		return response;
	};
	const signInPage = await browser.open((await atApp("/sign-in")).headers.get("location") ?? "");
	const { url: callback = "" } = await browser.signIn(acme, signInPage.url);
	expect((await atApp(callback)).headers.get("location")).toBe(`${origin}/`);
	expect(await (await atApp("/")).text()).toBe(`Hello Ada Lovelace of tenant ${acme.tenantId}`);
	const { url: back } = await browser.open(
		(await atApp("/sign-out")).headers.get("location") ?? "",
	);
	expect(back.href).toBe(`${origin}/`);
	expect(await (await atApp("/")).text()).toBe("Open /sign-in");
	const again = await browser.open((await atApp("/sign-in")).headers.get("location") ?? "");
	expect(again.url.pathname).toBe("/t/acme/sign-in");
});

it("the device gets tokens when a user allows it", async () => {
	const { clientId } = await issuers.createApplication(acme.tenantId, {
		...{ type: "native", deviceFlow: true, redirectUris: [], postLogoutRedirectUris: [] },
	});
	const file = fileOfDocument("device.mjs");
	const child = spawn(process.execPath, [file], {
		env: { PATH: process.env.PATH, ISSUER: acme.issuer, CLIENT_ID: clientId },
		stdio: ["ignore", "pipe", "inherit"],
	});
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const { value: asked } = await lines.next();
	const [, page, code = ""] = /^Open (\S+) and enter (\S+)$/.exec(asked) ?? [];
	expect(page).toBe(`${acme.issuer}/device`);
	const browser = newBrowser(issuers);
	await browser.signIn(acme);
	const headers = {
		"x-tenant-id": acme.tenantId,
		origin: issuers.baseUrl,
		cookie: browser.cookieHeader(),
	};
	await fetch(`${issuers.baseUrl}/api/auth/device?user_code=${code}`, { headers });
	await issuers.post("/device/approve", { userCode: code }, headers);
	expect((await lines.next()).value).toBe(`Hello ${acme.userId}`);
});

it("the program gets tokens that are bound to a key", async () => {
	const { boundTokens } = (await import(pathToFileURL(fileOfDocument("dpop.mjs")).href)) as {
		boundTokens: (
			config: openid.Configuration,
			parameters: object,
		) => Promise<{ token_type: string }>;
	};
	const tokens = await boundTokens(await connect(acme, job), { resource: API });
	expect(tokens.token_type).toBe("dpop");
});

type Verify = (token: string) => Promise<{ sub?: string; tenant_id?: string }>;

describe.each(["verify.mjs", "verify-all-tenants.mjs"])("%s", (name) => {
	it("accepts a token of the tenant, and nothing else", async () => {
		const { verify } = (await import(pathToFileURL(fileOfDocument(name)).href)) as {
			verify: Verify;
		};
		const token = await accessToken();
		expect(await verify(token)).toMatchObject({ sub: job.clientId, tenant_id: acme.tenantId });
		const other = await issuers.newTenant(name.replace(/\W/g, ""));
		const theirs = await issuers.createApplication(other.tenantId, {
			type: "machine",
			redirectUris: [],
			postLogoutRedirectUris: [],
		});
		const ofOther = await accessToken(other, theirs);
		if (name === "verify.mjs") await expect(verify(ofOther)).rejects.toThrow();
		else expect(await verify(ofOther)).toMatchObject({ tenant_id: other.tenantId });
		await expect(verify(`${token.slice(0, -4)}AAAA`)).rejects.toThrow();
		await expect(verify("x")).rejects.toThrow();
	});
});

/** A Python with the libraries of the page. */
const python = process.env.TEST_PYTHON ?? "python3";
const hasPython = (modules: string) => spawnSync(python, ["-c", `import ${modules}`]).status === 0;

it("the API with Hono accepts a token of the tenant, and nothing else", async () => {
	const { api } = (await import(pathToFileURL(fileOfDocument("hono-api.mjs")).href)) as {
		api: { request: (path: string, init: RequestInit) => Promise<Response> };
	};
	const ask = (authorization: string) => api.request("/notes", { headers: { authorization } });
	const token = await accessToken();
	const answer = await ask(`Bearer ${token}`);
	expect(await answer.json()).toEqual({ tenant: acme.tenantId, notes: [] });
	const tokenOfOther = await machineToken(issuers, await issuers.newTenant("hono"));
	for (const wrong of ["", "Bearer x", `Basic ${token}`, `Bearer ${tokenOfOther}`]) {
		expect((await ask(wrong)).status).toBe(401);
	}
});

it.skipIf(!hasPython("jwt, cryptography"))("verify.py accepts a token of the tenant", async () => {
	const file = fileOfDocument("verify.py");
	const token = await accessToken();
	const verify = async (presented: string) => {
		const child = spawn(
			python,
			["-c", "import sys, verify; print(verify.verify(sys.argv[1]))", presented],
			{
				cwd: dirname(file),
				env: { PATH: process.env.PATH, ISSUER: acme.issuer },
				stdio: ["ignore", "pipe", "ignore"],
			},
		);
		let output = "";
		child.stdout.on("data", (chunk) => {
			output += chunk;
		});
		const [code] = await once(child, "close");
		return { code, output };
	};
	const good = await verify(token);
	expect(good.output).toContain(`'tenant_id': '${acme.tenantId}'`);
	expect((await verify(`${token.slice(0, -4)}AAAA`)).code).not.toBe(0);
});

describe("the simpler ways", () => {
	const signIn = async () => {
		const { tenantId, email } = acme;
		return issuers.post(
			"/tenant/sign-in/email",
			{ email, password: "correct horse battery" },
			{ "x-tenant-id": tenantId },
		);
	};

	it("a backend reads the session of a cookie", async () => {
		const { findSession } = (await import(
			pathToFileURL(fileOfDocument("cookie-session.mjs")).href
		)) as {
			findSession: (cookie: string) => Promise<unknown>;
		};
		const cookie = (await signIn()).headers.getSetCookie()[0]?.split(";")[0] ?? "";
		expect(await findSession(cookie)).toMatchObject({
			user: { id: acme.userId },
			session: { tenantId: acme.tenantId },
		});
		expect(await findSession("")).toBeNull();
	});
});

it.skipIf(!hasCurl)("the requests of the page work as written", async () => {
	const { runBlocks } = await serverWithShell({ API_AUDIENCES: "https://api.example.com" });
	const [, , , stored = "", mapped = "", answer = ""] = runBlocks(
		blocksRunBy(import.meta.url, "docs/apps.md"),
	);
	expect(JSON.parse(stored)).toMatchObject({ metadata: { department: "Sales" } });
	expect(JSON.parse(mapped)).toMatchObject({ claims: { department: "user.metadata.department" } });
	const { access_token: token } = JSON.parse(answer) as { access_token: string };
	expect(decodeJwt(token)).toMatchObject({
		aud: "https://api.example.com",
		tenant_id: expect.any(String),
	});
});
