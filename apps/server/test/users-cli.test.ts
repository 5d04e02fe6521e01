import { expect, test } from "vitest";
import { command } from "./cli-command";
import { loopbackSmtp } from "./loopback-smtp";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

/** A service with two tenants, and its command line. */
async function withTenants(more: Record<string, string> = {}) {
	const environment = {
		DATA_DIR: temporaryDirectory(),
		BETTER_AUTH_URL: "http://localhost:3000",
		BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
		...more,
	};
	const service = await runningService(environment, { realPasswords: true });
	const acme = await newTenant(service.post, "acme");
	const other = await newTenant(service.post, "other");
	const user = (args: string[], input?: string) => command(environment, ["user", ...args], input);
	const signIn = (email: string, password: string, tenantId = acme) =>
		service.post("/tenant/sign-in/email", { email, password }, { "x-tenant-id": tenantId });
	const audited = async () => {
		const path = `/api/auth/tenant/audit/list?tenantId=${acme}`;
		const response = await service.call(path, { headers: asManager });
		return (await response.json()) as { action: string; targetId: string; actor: object }[];
	};
	return { service, acme, other, user, signIn, audited };
}

const errorOf = ({ code, out, err }: { code: number | null; out: string; err: string }) => {
	const { error } = JSON.parse(err);
	return { exitCode: code, out, code: error.code };
};

const refused = (code: string, exitCode = 1) => ({ exitCode, out: "", code });

test("user create makes a user with a password from standard input, the environment or chance", async () => {
	const { user, signIn, audited } = await withTenants({ USER_PASSWORD: "another horse battery" });
	const password = "correct horse battery";
	const ada = ["create", "acme", "Ada@example.com"];
	const created = await user([...ada, "--role", "owner", "--password-stdin"], `${password}\n`);
	expect([created.code, created.err]).toEqual([0, ""]);
	expect(created.out).toMatch(/^email +ada@example\.com \(not verified\)$/m);
	expect(created.out).toMatch(/^name +Ada$/m);
	expect(created.out).toMatch(/^role +owner$/m);
	expect(created.out + created.err).not.toContain(password);
	expect((await signIn("ada@example.com", password)).status).toBe(200);
	const [event] = await audited();
	expect(event).toMatchObject({ action: "user:create", actor: { kind: "server", id: null } });

	const env = ["--password-env", "USER_PASSWORD", "--verified", "--name", "Bob B.", "--json"];
	const bob = await user(["create", "acme", "bob@example.com", ...env]);
	expect(JSON.parse(bob.out)).toMatchObject({ name: "Bob B.", emailVerified: true });
	expect(bob.out).not.toContain("another horse");
	expect((await signIn("bob@example.com", "another horse battery")).status).toBe(200);

	const eve = await user(["create", "acme", "eve@example.com", "--generate-password", "--json"]);
	expect((await signIn("eve@example.com", JSON.parse(eve.out).password)).status).toBe(200);
	const text = await user(["create", "other", "eve@example.com", "--generate-password"]);
	expect(text.err).toBe("This is the only time that the password is shown.\n");
	expect(text.out).toMatch(/^password +[\w-]{24}$/m);

	const none = await user(["create", "acme", "max@example.com"]);
	const id = /^id +(\S+)$/m.exec(none.out)?.[1];
	expect(none.err).toContain(`tenant-auth user reset acme ${id}\n`);
});

test("user create refuses a taken email, a bad password, an unknown role, and a password as an argument", async () => {
	const { user } = await withTenants({ EMPTY: "" });
	const ada = ["create", "acme", "ada@example.com"];
	expect((await user(ada)).code).toBe(0);
	const taken = await user(["create", "acme", "ADA@example.com", "--json"]);
	expect(errorOf(taken)).toEqual(refused("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"));
	expect((await user(["create", "other", "ada@example.com"])).code).toBe(0);

	const bob = ["create", "acme", "bob@example.com", "--json"];
	const short = await user([...bob, "--password-stdin"], "short\n");
	expect(errorOf(short)).toEqual(refused("PASSWORD_TOO_SHORT"));
	const common = await user([...bob, "--password-stdin"], "password1\n");
	expect(errorOf(common)).toMatchObject({ exitCode: 1, out: "" });
	expect(errorOf(await user([...bob, "--password-stdin"]))).toEqual(refused("USAGE", 2));
	expect(errorOf(await user([...bob, "--password-env", "EMPTY"]))).toEqual(refused("USAGE", 2));
	expect(errorOf(await user([...bob, "--role", "king"]))).toEqual(refused("ROLE_NOT_FOUND"));
	expect(errorOf(await user(["create", "nobody", "bob@example.com", "--json"]))).toEqual(
		refused("TENANT_NOT_FOUND"),
	);
	expect((await user(["create", "acme", "bob"])).code).toBe(1);
	const both = ["--password-stdin", "--generate-password"];
	expect(errorOf(await user([...bob, ...both], "x"))).toEqual(refused("USAGE", 2));
	const argument = await user(["create", "acme", "bob@example.com", "--password", "a-secret"]);
	expect([argument.code, argument.out + argument.err]).toEqual([2, expect.any(String)]);
	expect(argument.err).not.toContain("a-secret");
	expect((await user(["list", "acme"])).out).toContain("1 of 1 user");
});

test("user show finds a user by id and by email, in this tenant only", async () => {
	const { service, acme, other, user } = await withTenants();
	const signUp = (email: string, tenantId: string, name = "Ada") =>
		service.post("/tenant/sign-up/email", { ...newUser(email), name }, { "x-tenant-id": tenantId });
	const response = await signUp("ada@example.com", acme);
	const { id } = ((await response.json()) as { user: { id: string } }).user;
	// A search for the email finds this one first.
	await signUp("eve@example.com", acme, "ada@example.com");
	await signUp("max@example.com", other);

	const shown = await user(["show", "acme", "ADA@example.com"]);
	expect([shown.code, shown.err]).toEqual([0, ""]);
	expect(shown.out).toMatch(new RegExp(`^id +${id}$`, "m"));
	expect(shown.out).toMatch(/^signs in with +password$/m);
	expect(shown.out).toMatch(/^sessions +1$/m);
	expect(shown.out).not.toContain("disabled");
	const byId = await user(["show", acme, id, "--json"]);
	expect(JSON.parse(byId.out)).toMatchObject({
		user: { id, email: "ada@example.com" },
		accounts: [{ providerId: "credential" }],
		passkeys: [],
		sessions: [{ userId: id }],
	});
	expect(Object.keys(JSON.parse(byId.out).sessions[0])).not.toContain("token");

	const unknown = await user(["show", "acme", "nobody@example.com"]);
	expect([unknown.code, unknown.err]).toEqual([
		1,
		"There is no user nobody@example.com in acme.\n",
	]);
	expect((await user(["metadata", "acme", "ada@example.com"])).out).toMatch(/^metadata +\{\}$/m);
	for (const [name, ...args] of [
		["show"],
		["reset", "--print-link"],
		["disable", "--yes"],
		["enable"],
		["delete", "--yes"],
		["metadata"],
	]) {
		const foreign = await user([`${name}`, "other", id, ...args, "--json"]);
		expect(errorOf(foreign)).toEqual(refused("USER_NOT_FOUND"));
		const missing = await user([`${name}`, "acme", "max@example.com", ...args, "--json"]);
		expect(errorOf(missing)).toEqual(refused("USER_NOT_FOUND"));
	}
});

test("user disable and enable need the other state first, and disable a confirmation", async () => {
	const { service, acme, user, signIn, audited } = await withTenants();
	const ada = newUser("ada@example.com");
	const tenant = { "x-tenant-id": acme };
	const cookie = cookiesOf(await service.post("/tenant/sign-up/email", ada, tenant));
	const session = async () =>
		(await service.call("/api/auth/get-session", { headers: { ...tenant, cookie } })).json();
	expect(await session()).toMatchObject({ user: { email: "ada@example.com" } });
	const { email, password } = ada;

	const early = await user(["enable", "acme", email, "--json"]);
	expect(errorOf(early)).toEqual(refused("NOT_DISABLED"));
	const unsure = await user(["disable", "acme", email, "--json"]);
	expect(errorOf(unsure)).toEqual(refused("NOT_CONFIRMED"));
	expect((await signIn(email, password)).status).toBe(200);
	expect((await user(["disable", "acme", email, "--yes"])).out).toMatch(/^disabled +2/m);
	expect(await session()).toBeNull();
	expect((await signIn(email, password)).status).toBe(403);
	expect((await user(["list", "acme"])).out).toContain("disabled");
	const again = await user(["disable", "acme", email, "--yes", "--json"]);
	expect(errorOf(again)).toEqual(refused("ALREADY_DISABLED"));
	expect((await user(["enable", "acme", email, "--json"])).code).toBe(0);
	expect((await signIn(email, password)).status).toBe(200);
	const actions = (await audited()).map(({ action }) => action);
	expect(actions.filter((action) => /able$/.test(action))).toEqual(["user:enable", "user:disable"]);
});

test("user delete needs a confirmation, and keeps the last owner", async () => {
	const { user } = await withTenants();
	await user(["create", "acme", "ada@example.com", "--role", "owner"]);
	await user(["create", "acme", "bob@example.com"]);
	const unsure = await user(["delete", "acme", "bob@example.com", "--json"]);
	expect(errorOf(unsure)).toEqual(refused("NOT_CONFIRMED"));
	const deleted = await user(["delete", "acme", "bob@example.com", "--yes", "--json"]);
	expect(JSON.parse(deleted.out)).toMatchObject({ deleted: { email: "bob@example.com" } });
	const gone = await user(["delete", "acme", "bob@example.com", "--yes", "--json"]);
	expect(errorOf(gone)).toEqual(refused("USER_NOT_FOUND"));
	const owner = await user(["delete", "acme", "ada@example.com", "--yes", "--json"]);
	expect(errorOf(owner)).toEqual(refused("LAST_OWNER"));
});

test("user reset and invite print a link that works", async () => {
	const { service, acme, user, signIn, audited } = await withTenants();
	await user(["create", "acme", "ada@example.com", "--verified"]);
	const reset = await user(["reset", "acme", "ada@example.com", "--print-link", "--json"]);
	const { url } = JSON.parse(reset.out);
	const opened = await service.call(url);
	const page = new URL(opened.headers.get("location") ?? "", url);
	expect(page.pathname).toBe("/t/acme/new-password");
	const password = "a new horse battery";
	const token = page.searchParams.get("token");
	const tenant = { "x-tenant-id": acme };
	await service.post("/reset-password", { token, newPassword: password }, tenant);
	expect((await signIn("ada@example.com", password)).status).toBe(200);
	const [event] = await audited();
	expect(event).toMatchObject({
		action: "user:send-password-reset",
		actor: { kind: "server", id: null },
	});

	const invite = ["invite", "acme", "Bob@example.com", "--role", "admin", "--print-link"];
	const text = await user([...invite, "--expires-in", "1"]);
	const link = new URL(/https?:\/\/\S+/.exec(text.out)?.[0] ?? "");
	expect([link.origin, link.pathname]).toEqual(["http://localhost:3000", "/t/acme/invitation"]);
	const query = new URLSearchParams({
		tenantId: acme,
		token: link.searchParams.get("token") ?? "",
	});
	const invited = await service.call(`/api/auth/tenant/invitation/get?${query}`);
	expect(await invited.json()).toMatchObject({ email: "bob@example.com", role: "admin" });
	const json = await user(["invite", "acme", "eve@example.com", "--print-link", "--json"]);
	expect(JSON.parse(json.out)).toMatchObject({
		invitation: { email: "eve@example.com", role: "member", status: "pending" },
		url: expect.stringContaining("/t/acme/invitation?token="),
	});
	expect((await user([...invite, "--expires-in", "31"])).code).toBe(2);
	const king = ["invite", "acme", "eve@example.com", "--role", "king", "--print-link", "--json"];
	expect(errorOf(await user(king))).toEqual(refused("ROLE_NOT_FOUND"));
});

test("with a host for each tenant, and without SMTP on a public URL, links are printed too", async () => {
	const { user } = await withTenants({
		BETTER_AUTH_URL: "https://auth.example.com",
		TENANT_DOMAIN: "example.com",
	});
	await user(["create", "acme", "ada@example.com"]);
	const sent = await user(["reset", "acme", "ada@example.com", "--json"]);
	expect(errorOf(sent)).toEqual(refused("MAIL_NOT_CONFIGURED"));
	expect(errorOf(await user(["invite", "acme", "bob@example.com", "--json"]))).toEqual(
		refused("MAIL_NOT_CONFIGURED"),
	);
	const reset = await user(["reset", "acme", "ada@example.com", "--print-link", "--json"]);
	expect(JSON.parse(reset.out).url).toMatch(
		/^https:\/\/auth\.example\.com\/api\/auth\/reset-password\/\w+\?/,
	);
	const invited = await user(["invite", "acme", "bob@example.com", "--print-link", "--json"]);
	expect(JSON.parse(invited.out).url).toMatch(
		/^https:\/\/auth\.example\.com\/t\/acme\/invitation\?token=\w+$/,
	);
});

test("user reset and invite send the link, and fail if the SMTP server does not take the email", async () => {
	const smtp = await loopbackSmtp(["250 ok", "550 unknown sender"]);
	const { user } = await withTenants({
		SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
		MAIL_FROM: "Login <login@example.com>",
	});
	await user(["create", "acme", "ada@example.com"]);
	const sent = await user(["reset", "acme", "ada@example.com"]);
	expect(sent).toEqual({
		code: 0,
		out: "Sent ada@example.com a link to choose a new password. It works once, within an hour.\n",
		err: "",
	});
	expect(smtp.received).toMatchObject([
		{ from: "login@example.com", to: ["ada@example.com"], data: expect.any(String) },
	]);
	const failed = await user(["reset", "acme", "ada@example.com", "--json"]);
	expect(errorOf(failed)).toEqual(refused("MAIL_NOT_SENT"));
	expect(failed.err).toContain("550 unknown sender");
	const invited = await user(["invite", "acme", "bob@example.com", "--json"]);
	expect(JSON.parse(invited.out)).toMatchObject({
		invitation: { email: "bob@example.com" },
		url: null,
	});
	expect(smtp.received.map(({ to }) => to)).toEqual([["ada@example.com"], ["bob@example.com"]]);
});
