import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { startApp, textOfDocument } from "./documented-app";
import {
	API,
	atTheEndOfFile,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { hasCurl } from "./shell-blocks";
import { temporaryDirectory } from "./temporary-directory";

type Files = { title: string; files: { name: string; text: string }[] };
type SnippetsFor = (
	application: { clientId: string; type: string; redirectUris: string[] },
	issuer: string,
) => Files[];

const directoryOfSnippets = new URL(
	"../../console/src/operator/applications/snippets/",
	import.meta.url,
);
// Not by its name: the types of the console are for a browser.
const { snippetsFor } = (await import(
	fileURLToPath(new URL("snippets.ts", directoryOfSnippets))
)) as { snippetsFor: SnippetsFor };

/** The code that the console shows for an application, as it is copied from there. */
function filesOf(
	title: string,
	{ clientId, clientSecret }: CreatedApplication,
	type: "web" | "spa" | "machine",
	redirectUris: string[] = [],
): Map<string, string> {
	const snippet = snippetsFor({ clientId, type, redirectUris }, acme.issuer).find(
		(one) => one.title === title,
	);
	const filled = (text: string) => text.replace("the-client-secret", clientSecret ?? "");
	return new Map(snippet?.files.map(({ name, text }) => [name, filled(text)]));
}

const atTheEnd = atTheEndOfFile();
let issuers: RunningIssuers;
let acme: IssuingTenant;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
});

const newApp = async () => {
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const redirectUri = `${origin}/auth/done`;
	const application = await issuers.createApplication(acme.tenantId, {
		redirectUris: [redirectUri],
		postLogoutRedirectUris: [`${origin}/`],
	});
	return { port, origin, redirectUri, application };
};

/** A sign-in and a sign-out at an app whose requests `atApp` makes. */
async function signInAndOut(origin: string, atApp: (path: string) => Promise<Response>) {
	const browser = newBrowser(issuers);
	const locationOf = async (path: string) => (await atApp(path)).headers.get("location") ?? "";
	expect(await (await atApp("/")).text()).toBe("Open /sign-in");
	const page = await browser.open(await locationOf("/sign-in"));
	expect(page.url.pathname).toBe("/t/acme/sign-in");
	const { url: callback = "" } = await browser.signIn(acme, page.url);
	expect(await locationOf(callback)).toBe(`${origin}/`);
	expect(await (await atApp("/")).text()).toBe(`Hello Ada Lovelace of tenant ${acme.tenantId}`);
	expect((await browser.open(await locationOf("/sign-out"))).url.href).toBe(`${origin}/`);
	expect(await (await atApp("/")).text()).toBe("Open /sign-in");
	const again = await browser.open(await locationOf("/sign-in"));
	expect(again.url.pathname).toBe("/t/acme/sign-in");
	// A forged answer is refused.
	expect((await atApp("/auth/done?code=x&state=y")).status).toBe(400);
}

/** The browser of an app: it keeps cookies, and does not follow redirects. */
function appBrowser(origin: string) {
	const cookies = new Map<string, string>();
	return async (path: string) => {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const response = await fetch(new URL(path, origin), {
			headers: { cookie },
			redirect: "manual",
		});
		for (const set of response.headers.getSetCookie()) {
			const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
			cookies.set(name, value);
		}
		return response;
	};
}

const environmentOf = (files: Map<string, string>): Record<string, string> =>
	Object.fromEntries(
		(files.get(".env") ?? "")
			.trim()
			.split("\n")
			.map((line) => line.split(/=(.*)/).slice(0, 2)),
	);

/** A directory in which the code finds the libraries that it imports. */
function directoryFor(files: Map<string, string>): string {
	const parent = fileURLToPath(new URL("../node_modules/.documented", import.meta.url));
	mkdirSync(parent, { recursive: true });
	const directory = mkdtempSync(join(parent, "app-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	for (const [name, text] of files) {
		const file = join(directory, name);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	return directory;
}

describe.each(["Node", "Hono"])("the code for %s", (title) => {
	it("signs a user in and out", async () => {
		const { port, origin, redirectUri, application } = await newApp();
		const files = filesOf(title, application, "web", [redirectUri]);
		await startApp(process.execPath, [join(directoryFor(files), "app.mjs")], port, {
			...environmentOf(files),
			PORT: String(port),
		});
		await signInAndOut(origin, appBrowser(origin));
	});
});

/** `cookies()` of Next.js, for one browser. */
const NEXT_HEADERS = `
const jar = new Map();
export const cookies = async () => ({
	get: (name) => (jar.has(name) ? { name, value: jar.get(name) } : undefined),
	set: (name, value) => void jar.set(name, value),
	delete: (name) => void jar.delete(name),
});
`;

it("the code for Next.js signs a user in and out", async () => {
	const { origin, redirectUri, application } = await newApp();
	const files = filesOf("Next.js", application, "web", [redirectUri]);
	const module = JSON.stringify({
		type: "module",
		exports: { ".": "./auth.js", "./headers": "./headers.js" },
	});
	const directory = directoryFor(
		new Map([
			...files,
			["package.json", '{"type":"module"}'],
			["node_modules/next/package.json", module],
			["node_modules/next/headers.js", NEXT_HEADERS],
			// The alias "@/" of Next.js.
			["node_modules/@/auth/package.json", module],
			["node_modules/@/auth/auth.js", files.get("auth.js") ?? ""],
		]),
	);
	for (const [name, value] of Object.entries(environmentOf(files))) vi.stubEnv(name, value);
	onTestFinished(() => void vi.unstubAllEnvs());
	const load = (path: string) =>
		import(/* @vite-ignore */ pathToFileURL(join(directory, path)).href);
	const { findSession } = await load("node_modules/@/auth/auth.js");
	const routes = new Map<string, { GET: (request: Request) => Promise<Response> }>();
	for (const path of ["/sign-in", "/auth/done", "/sign-out"]) {
		routes.set(path, await load(`app${path}/route.js`));
	}
	await signInAndOut(origin, async (path) => {
		const url = new URL(path, origin);
		const route = routes.get(url.pathname);
		if (route) return route.GET(new Request(url));
		const user = (await findSession())?.user;
		return new Response(user ? `Hello ${user.name} of tenant ${user.tenant_id}` : "Open /sign-in");
	});
});

/** A Python with the libraries of the code. */
const python = process.env.TEST_PYTHON ?? "python3";
const hasAuthlib = spawnSync(python, ["-c", "import authlib, flask, requests"]).status === 0;
const hasPython = spawnSync(python, ["--version"]).status === 0;

describe("the code for Python", () => {
	it.skipIf(!hasPython)("is valid", async () => {
		const { redirectUri, application } = await newApp();
		const directory = directoryFor(filesOf("Python", application, "web", [redirectUri]));
		const { status, stderr } = spawnSync(python, ["-m", "py_compile", join(directory, "app.py")]);
		expect([status, String(stderr)]).toEqual([0, ""]);
	});

	it.skipIf(!hasAuthlib)("signs a user in and out", async () => {
		const { port, origin, redirectUri, application } = await newApp();
		const files = filesOf("Python", application, "web", [redirectUri]);
		const args = [
			"-m",
			"flask",
			"--app",
			join(directoryFor(files), "app.py"),
			"run",
			"--port",
			String(port),
		];
		await startApp(python, args, port, environmentOf(files));
		await signInAndOut(origin, appBrowser(origin));
	});
});

const newMachine = () =>
	issuers.createApplication(acme.tenantId, {
		type: "machine",
		redirectUris: [],
		postLogoutRedirectUris: [],
	});

describe("the code for a program without users", () => {
	it.skipIf(!hasCurl)("gets a token with curl", async () => {
		const command = filesOf("curl", await newMachine(), "machine").get("Terminal") ?? "";
		const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
		expect(JSON.parse(await outputOf(child))).toMatchObject({
			token_type: "Bearer",
			scope: "read write",
		});
	});

	it("gets a token with Node", async () => {
		const files = filesOf("Node", await newMachine(), "machine");
		const child = spawn(process.execPath, ["--env-file=.env", "token.mjs"], {
			cwd: directoryFor(files),
			stdio: ["ignore", "pipe", "inherit"],
		});
		expect(JSON.parse(await outputOf(child))).toMatchObject({
			access_token: expect.any(String),
			scope: "read write",
		});
	});
});

async function outputOf(child: ReturnType<typeof spawn>): Promise<string> {
	let output = "";
	child.stdout?.on("data", (chunk) => {
		output += chunk;
	});
	await once(child, "close");
	return output;
}

it.skipIf(!services.nginx)("nginx lets requests with a token of the tenant through", async () => {
	const api = createServer((_, response) => response.end("the API"));
	await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void api.close());
	const application = await issuers.createApplication(acme.tenantId);
	const block = filesOf("nginx, in front of your API", application, "web").get("nginx.conf") ?? "";
	const port = await freePort();
	const directory = temporaryDirectory();
	const own = block.replace("127.0.0.1:4000", `127.0.0.1:${(api.address() as AddressInfo).port}`);
	writeFileSync(
		join(directory, "nginx.conf"),
		`daemon off; pid ${directory}/pid; error_log stderr crit; events {}
		http { access_log off; client_body_temp_path ${directory}; proxy_temp_path ${directory};
		fastcgi_temp_path ${directory}; uwsgi_temp_path ${directory}; scgi_temp_path ${directory};
		server { listen 127.0.0.1:${port};\n${own}\n} }`,
	);
	await startApp(String(services.nginx), ["-p", directory, "-c", "nginx.conf"], port);

	const other = await issuers.newTenant("other");
	const tokenOf = async (tenant: IssuingTenant, resource?: string) => {
		const config = await connect(tenant, await issuers.createApplication(tenant.tenantId));
		const { tokens } = await signInAt(issuers, tenant, config, resource ? { resource } : {});
		return tokens.access_token;
	};
	const ask = async (token?: string) => {
		const headers: Record<string, string> = token ? { authorization: `Bearer ${token}` } : {};
		const response = await fetch(`http://127.0.0.1:${port}/api/x`, {
			method: "POST",
			headers,
			body: "{}",
		});
		return response.ok ? response.text() : response.status;
	};
	expect(await ask(await tokenOf(acme))).toBe("the API");
	expect(await ask(await tokenOf(other))).toBe(401);
	expect(await ask(await tokenOf(other, API))).toBe(401);
	expect(await ask()).toBe(401);
	expect(await ask("x")).toBe(401);
});

it.each([
	["app.mjs", "node.txt"],
	["auth.js", "next-auth.txt"],
	["app/sign-in/route.js", "next-sign-in.txt"],
	["app/callback/route.js", "next-callback.txt"],
	["app/sign-out/route.js", "next-sign-out.txt"],
])("docs/apps.md has the same code for %s", (name, snippet) => {
	const text = readFileSync(new URL(snippet, directoryOfSnippets), "utf8");
	expect(textOfDocument(name)).toBe(text);
});
