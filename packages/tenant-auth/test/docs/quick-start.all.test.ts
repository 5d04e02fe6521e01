import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../../../testing/pages";
import { freePort } from "../../../../testing/ports";
import { blocksRunBy } from "../../../../testing/shell-blocks";
import { filesIn } from "./code-blocks/blocks";

const guide = (name: string) => readFileSync(join(root, "docs", `${name}.md`), "utf8");
const quickStart = guide("quick-start");
const hostsGuide = guide("tenant-hosts");
const invitationsGuide = guide("invitations");
const eventsGuide = guide("events");
const domainsGuide = guide("domains");

const files = [quickStart, guide("tenants"), guide("management"), guide("which-tenant")].flatMap(
	filesIn,
);

const environment = {
	PATH: process.env.PATH,
	BETTER_AUTH_SECRET: "Jx3rJYx8V0f2m0sEwq1fD0kzJr5m1QbT",
};

describe("the quick start", () => {
	let folder: string;
	let port: number;
	let server: ChildProcess | undefined;

	const run = (program: string) =>
		execFileSync(process.execPath, ["--import", "tsx", program], {
			cwd: folder,
			env: environment,
			encoding: "utf8",
			stdio: ["ignore", "pipe", "pipe"],
		});

	beforeAll(async () => {
		// The package as it would be installed: built.
		execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
			cwd: root,
			stdio: "pipe",
		});
		folder = mkdtempSync(join(tmpdir(), "quick-start-"));
		port = await freePort();
		symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
		writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
		for (const { name, text } of files) {
			writeFileSync(join(folder, name), text.replaceAll("3000", String(port)));
		}
		const guides = [hostsGuide, invitationsGuide, eventsGuide, domainsGuide];
		for (const { name, text } of guides.flatMap(filesIn)) writeFileSync(join(folder, name), text);
		writeFileSync(join(folder, "visit-domains.ts"), visitDomains);
		cpSync(new URL("code-blocks/app/database.ts", import.meta.url), join(folder, "database.ts"));
		writeFileSync(join(folder, "visit-hosts.ts"), visitHosts);
		writeFileSync(join(folder, "join-tenant.ts"), joinTenant);
	});

	afterAll(async () => {
		if (server?.pid) {
			process.kill(-server.pid);
			await once(server, "close");
		}
		rmSync(folder, { recursive: true, force: true });
	});

	it("has all files that it runs", () => {
		expect(files.map(({ name }) => name)).toEqual([
			"auth.ts",
			"first-users.ts",
			"server.ts",
			"client.ts",
			"tenants.ts",
			"tenant-file.ts",
			"own-providers.ts",
			"emails.ts",
			"jobs.ts",
		]);
		const started = [...quickStart.matchAll(/^npx tsx (\S+)$/gm)].map(([, name]) => name);
		expect(started).toEqual(["first-users.ts", "server.ts"]);
	});

	it("serves tenants by subdomain and custom domain, as docs/tenant-hosts.md shows", () => {
		expect(JSON.parse(run("visit-hosts.ts").trim().split("\n").at(-1) ?? "")).toEqual([
			"acme",
			null,
			404,
			"acme",
			"TENANT_NOT_FOUND",
		]);
	});

	it("invites, accepts and lets in an owner, as docs/invitations.md shows", () => {
		expect(JSON.parse(run("join-tenant.ts").trim().split("\n").at(-1) ?? "")).toEqual([
			"Sign up or sign in to Acme as bob@corp.com.",
			"admin",
			"This invitation is not valid any more.",
			"/",
		]);
	});

	it("verifies a domain and signs in there, as docs/domains.md shows", () => {
		expect(JSON.parse(run("visit-domains.ts").trim().split("\n").at(-1) ?? "")).toEqual([
			"_better-auth-tenant.login.acme.com",
			404,
			"DNS_RECORD_NOT_FOUND",
			"verified",
			200,
			"acme",
			"1 domains: 0 without a record, 0 lost, 0 unknown",
		]);
	});

	it("creates two users with one email, serves, and signs in with the client", async () => {
		const [start = "", ask = "", ...more] = blocksRunBy(import.meta.url, "docs/quick-start.md");
		expect(more).toEqual([]);
		const { PATH, HOME } = process.env;
		server = spawn("bash", ["-e", "-c", start], {
			cwd: folder,
			env: { PATH, HOME },
			stdio: ["ignore", "pipe", "inherit"],
			// The shell starts other processes. They all end as one group.
			detached: true,
		});
		const lines: string[] = [];
		for await (const line of createInterface({ input: server.stdout as Readable })) {
			lines.push(line);
			if (lines.length === 2) break;
		}
		const told = lines.map((line) =>
			line.match(/^ada@example\.com of (?<slug>\w+) is user (?<id>\w+)$/),
		);
		const users = Object.fromEntries(
			told.map((match) => [match?.groups?.slug, match?.groups?.id ?? ""]),
		);
		expect(Object.keys(users)).toEqual(["acme", "globex"]);
		expect(users.acme).not.toBe(users.globex);

		writeFileSync(join(folder, "browser.ts"), browser(port));
		expect(JSON.parse(run("browser.ts"))).toEqual({
			signedIn: users.globex,
			withThePasswordOfAnother: "Invalid email or password",
			counts: [1, 2],
		});
		const answer = execFileSync("bash", ["-c", ask.replaceAll("3000", String(port))], {
			encoding: "utf8",
			stdio: ["ignore", "pipe", "ignore"],
		});
		expect(JSON.parse(answer)).toMatchObject({ tenant: { slug: "acme" } });
	});
});

const visitHosts = `
	import { getMigrations } from "better-auth/db/migration";
	import * as custom from "./custom-domains.js";
	import { domains } from "./database.js";
	import { readSession } from "./session.js";
	import { auth } from "./subdomains.js";

	await (await getMigrations(auth.options)).runMigrations();
	const create = async (slug: string) =>
		(await auth.api.createTenant({ body: { name: slug, slug } })).id;
	const acme = await create("acme");
	await create("globex");
	domains.set("login.acme.com", { tenantId: acme });
	const post = (app: Pick<typeof auth, "handler">, origin: string, path: string) =>
		app.handler(
			new Request(origin + "/api/auth" + path, {
				method: "POST",
				headers: { "content-type": "application/json", origin },
				body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "a password" }),
			}),
		);
	const signedUp = await post(auth, "http://acme.localhost:3000", "/sign-up/email");
	const cookie = (signedUp.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
	const sessionAt = async (host: string) =>
		(await readSession(new Headers({ cookie, host })))?.user.tenantId ?? null;
	const atCustomDomain = async (origin: string) => {
		const response = await post(custom.auth, origin, "/sign-in/email");
		const { code, user } = (await response.json()) as { code?: string; user?: { tenantId: string } };
		return code ?? user?.tenantId;
	};
	const names = new Map<unknown, string>([[acme, "acme"]]);
	const seen = [
		await sessionAt("acme.localhost:3000"),
		await sessionAt("globex.localhost:3000"),
		(await post(auth, "http://nobody.localhost:3000", "/sign-up/email")).status,
		await atCustomDomain("https://login.acme.com"),
		await atCustomDomain("https://login.globex.com"),
	];
	console.log(JSON.stringify(seen.map((it) => names.get(it) ?? it)));
`;

const joinTenant = `
	import { getMigrations } from "better-auth/db/migration";
	import { runInTenant } from "better-auth-tenant";
	import { letOwnerIn } from "./break-glass.js";
	import { auth, emails, inviteAdmin } from "./invitations.js";

	await (await getMigrations(auth.options)).runMigrations();
	globalThis.fetch = (input, init) => auth.handler(new Request(input, init));
	const { join } = await import("./join.js");
	const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } });
	await inviteAdmin(id, "bob@corp.com");
	const token = new URL(emails[0]?.url ?? "").searchParams.get("token") ?? "";
	const before = await join(token);
	const { user } = await auth.api.signUpEmailTenant({
		headers: { "x-invitation-token": token },
		body: { tenantId: id, name: "Bob", email: "bob@corp.com", password: "a password" },
	});
	const { adapter } = await auth.$context;
	const where = [{ field: "id", value: user.id }];
	const found = await runInTenant(auth, id, () => adapter.findOne({ model: "user", where }));
	const { tenantRole } = found as { tenantRole: string };
	const update = { tenantRole: "owner" };
	await runInTenant(auth, id, () => adapter.update({ model: "user", where, update }));
	const opened = await auth.handler(new Request(await letOwnerIn(id, user.id)));
	const { pathname } = new URL(opened.headers.get("location") ?? "");
	console.log(JSON.stringify([before, tenantRole, await join(token), pathname]));
`;

const visitDomains = `
	import dns from "node:dns";
	import { getMigrations } from "better-auth/db/migration";
	import { addDomain, verifyDomain } from "./add-domain.js";
	import { auth } from "./domains.js";

	const records: string[] = [];
	dns.promises.resolveTxt = async () => [records];
	await (await getMigrations(auth.options)).runMigrations();
	const acme = (await auth.api.createTenant({ body: { name: "Acme", slug: "acme" } })).id;
	const signUp = async () =>
		auth.handler(
			new Request("https://login.acme.com/api/auth/sign-up/email", {
				method: "POST",
				headers: { "content-type": "application/json", origin: "https://login.acme.com" },
				body: JSON.stringify({ name: "Ada", email: "ada@example.com", password: "a password" }),
			}),
		);
	const { id, record } = await addDomain(acme, "login.acme.com");
	const before = await signUp();
	const early = await verifyDomain(acme, id).catch((error) => error.body.code as string);
	records.push(record.value);
	const { state } = await verifyDomain(acme, id);
	const after = await signUp();
	const { user } = (await after.json()) as { user: { tenantId: string } };
	let report = "";
	console.log = (text: string) => {
		report = text;
	};
	await import("./recheck.js");
	process.stdout.write(
		JSON.stringify([
			record.name,
			before.status,
			early,
			state,
			after.status,
			user.tenantId === acme && "acme",
			report,
		]),
	);
`;

/** What a page would do; Node's fetch has no origin of its own to send. */
const browser = (port: number) => `
	const origin = "http://localhost:${port}";
	const send = globalThis.fetch;
	globalThis.fetch = (input, init) => {
		const request = new Request(input, init);
		request.headers.set("origin", origin);
		// A busy machine may let a kept connection time out just before it is used again.
		request.headers.set("connection", "close");
		return send(request);
	};
	const { enter, signIn } = await import("./client");
	const find = async (slug) => {
		const url = origin + "/api/auth/tenant/login-options?slug=" + slug;
		const response = await send(url, { headers: { connection: "close" } });
		return (await response.json()).tenant.id;
	};
	let acme;
	while (!acme) {
		acme = await find("acme").catch(() => undefined);
		if (!acme) await new Promise((resolve) => setTimeout(resolve, 100));
	}
	enter(await find("globex"));
	const { id } = await signIn("ada@example.com", "the password at globex");
	const refusal = await signIn("ada@example.com", "the password at acme").catch((error) => error);
	const { countAllUsers, countUsers } = await import("./jobs");
	const counts = [await countUsers(acme), await countAllUsers()];
	console.log(JSON.stringify({ signedIn: id, withThePasswordOfAnother: refusal.message, counts }));
`;
