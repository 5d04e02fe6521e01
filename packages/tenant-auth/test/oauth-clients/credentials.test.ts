import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import type Database from "libsql";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Instance, makeInstance } from "../support/worlds/instance";

const clientId = "the-client-id-in-the-clear";
const clientSecret = "the-client-secret-in-the-clear";
const provider = "github";
const socialProviders = { github: { clientId: "hosts-own-client", clientSecret: "hosts-secret" } };

type Column = "clientId" | "clientSecret";

function registerIn({ manage }: Instance, tenantId: string, body: object = {}) {
	return manage("/tenant/oauth-config/register", {
		body: { tenantId, providerId: provider, clientId, clientSecret, ...body },
	});
}

const listIn = ({ manage }: Instance, tenantId: string) =>
	manage("/tenant/oauth-config/list", { query: { tenantId } });

const startIn = ({ call }: Instance, tenantId: string) =>
	call("/tenant/sign-in/social", { body: { tenantId, provider, callbackURL: "/welcome" } });

function readColumn(
	{ database }: Instance,
	column: Column,
	tenantId: string,
	providerId = provider,
) {
	const row = database
		.prepare(
			`select ${column} as value from tenantOauthConfig where tenantId = ? and providerId = ?`,
		)
		.get(tenantId, providerId) as { value: string };
	return row.value;
}

function writeColumn({ database }: Instance, column: Column, tenantId: string, value: string) {
	database
		.prepare(`update tenantOauthConfig set ${column} = ? where tenantId = ? and providerId = ?`)
		.run(value, tenantId, provider);
}

/** Everything that the database holds, as text. */
function dump(database: Database.Database): string {
	const tables = database.prepare("select name from sqlite_master where type = 'table'").all();
	return (tables as { name: string }[])
		.map(({ name }) => JSON.stringify(database.prepare(`select * from "${name}"`).all()))
		.join("\n");
}

const decryptFailed = { code: "OAUTH_CREDENTIAL_DECRYPT_FAILED" };

describe("a tenant's OAuth credentials at rest", () => {
	it("are nowhere in the database as plaintext, also while a flow is under way", async () => {
		const instance = await makeInstance();
		const tenantId = await instance.makeTenant();
		await registerIn(instance, tenantId);
		expect((await startIn(instance, tenantId)).body.url).toContain(clientId);
		const everything = dump(instance.database);
		expect(everything).toContain(tenantId);
		expect(everything).not.toContain(clientId);
		expect(everything).not.toContain(clientSecret);
		expect(everything).not.toContain(Buffer.from(clientSecret).toString("hex"));
		expect(everything).not.toContain(Buffer.from(clientSecret).toString("base64").slice(0, 24));
	});

	it("look different each time, so equal ones cannot be told", async () => {
		const instance = await makeInstance();
		const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
		await registerIn(instance, a);
		await registerIn(instance, b);
		expect(readColumn(instance, "clientId", a)).not.toBe(readColumn(instance, "clientId", b));
		const before = readColumn(instance, "clientSecret", a);
		await registerIn(instance, a);
		expect(readColumn(instance, "clientSecret", a)).not.toBe(before);
	});
});

describe("a client secret", () => {
	let printed: string[];

	beforeEach(() => {
		printed = [];
		for (const method of ["log", "info", "warn", "error", "debug"] as const) {
			vi.spyOn(console, method).mockImplementation((...args) => {
				printed.push(args.map(textOf).join(" "));
			});
		}
	});

	afterEach(() => {
		vi.restoreAllMocks();
	});

	const textOf = (value: unknown): string =>
		value instanceof Error
			? `${value.message} ${value.stack} ${JSON.stringify(value)} ${textOf(value.cause)}`
			: typeof value === "string"
				? value
				: (JSON.stringify(value) ?? "");

	it("is in no response, no error and no log line", async () => {
		const lines: string[] = [];
		const instance = await makeInstance({
			logger: {
				disabled: false,
				level: "debug",
				log: (level, message, ...args) => {
					lines.push([level, message, ...args.map(textOf)].join(" "));
				},
			},
			onAPIError: { onError: (error) => void lines.push(textOf(error)) },
		});
		const tenantId = await instance.makeTenant();
		const answers = [
			await registerIn(instance, tenantId),
			await registerIn(instance, tenantId, { enabled: false }),
			await registerIn(instance, tenantId, { enabled: true }),
			await listIn(instance, tenantId),
			await startIn(instance, tenantId),
			await registerIn(instance, "nobody"),
			await registerIn(instance, tenantId, { providerId: "unknown" }),
			await registerIn(instance, tenantId, { scopes: 5 }),
			await registerIn(instance, tenantId, { options: { unknown: 1 } }),
			await registerIn(instance, tenantId, { clientSecret: [clientSecret] }),
			await registerIn(instance, tenantId, { clientSecret: clientSecret.repeat(1000) }),
			await instance.manage("/tenant/get", { query: { id: tenantId } }),
		];
		writeColumn(instance, "clientId", tenantId, readColumn(instance, "clientSecret", tenantId));
		answers.push(await listIn(instance, tenantId), await startIn(instance, tenantId));
		expect(answers.at(-1)?.status).toBe(500);
		instance.database.exec("drop table tenantOauthConfig");
		answers.push(await registerIn(instance, tenantId), await startIn(instance, tenantId));
		expect(answers.at(-1)?.status).toBe(500);
		for (const { body, headers } of notEmpty(answers)) {
			expect(JSON.stringify([body, [...headers]])).not.toContain(clientSecret);
		}
		expect(lines.join("\n")).toContain("Cannot decrypt the clientId");
		expect([...lines, ...printed].join("\n")).not.toContain(clientSecret);
	});
});

describe("a credential that cannot be opened", () => {
	async function makeBroken(tamper: (instance: Instance, a: string, b: string) => unknown) {
		const instance = await makeInstance({ socialProviders });
		const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
		await registerIn(instance, a);
		await registerIn(instance, a, { providerId: "google" });
		await registerIn(instance, b, { clientId: "client-of-b" });
		await tamper(instance, a, b);
		return { instance, a, b };
	}

	const copy =
		(to: Column, from: Column, pick: (a: string, b: string) => [string, string?]) =>
		(instance: Instance, a: string, b: string) =>
			writeColumn(instance, to, a, readColumn(instance, from, ...pick(a, b)));
	const put =
		(column: Column, value: (sealed: string) => string) => (instance: Instance, a: string) =>
			writeColumn(instance, column, a, value(readColumn(instance, column, a)));
	const flipped = (sealed: string) => `${sealed.slice(0, -1)}${sealed.endsWith("0") ? "1" : "0"}`;

	const tamperings: [string, Column, (instance: Instance, a: string, b: string) => unknown][] = [
		["moved from another tenant's row", "clientId", copy("clientId", "clientId", (_, b) => [b])],
		[
			"moved from another tenant's row",
			"clientSecret",
			copy("clientSecret", "clientSecret", (_, b) => [b]),
		],
		[
			"moved from another provider's row",
			"clientId",
			copy("clientId", "clientId", (a) => [a, "google"]),
		],
		[
			"moved from another provider's row",
			"clientSecret",
			copy("clientSecret", "clientSecret", (a) => [a, "google"]),
		],
		["moved from the other column", "clientId", copy("clientId", "clientSecret", (a) => [a])],
		["moved from the other column", "clientSecret", copy("clientSecret", "clientId", (a) => [a])],
		["of plaintext", "clientId", put("clientId", () => clientId)],
		["of plaintext", "clientSecret", put("clientSecret", () => clientSecret)],
		["of garbage", "clientId", put("clientId", () => "$ba$1$zz")],
		["of garbage", "clientSecret", put("clientSecret", () => "00")],
		["that is empty", "clientId", put("clientId", () => "")],
		["that is empty", "clientSecret", put("clientSecret", () => "")],
		["with one digit changed", "clientId", put("clientId", flipped)],
		["with one digit changed", "clientSecret", put("clientSecret", flipped)],
		["of another key's version", "clientId", put("clientId", (sealed) => `$ba$9$${sealed}`)],
	];

	it.each(tamperings)(
		"starts no sign-in with a ciphertext %s (%s), and never on the host's client",
		async (_, __, tamper) => {
			const { instance, a, b } = await makeBroken(tamper);
			const { status, body, headers } = await startIn(instance, a);
			expect(status).toBe(500);
			expect(body).toEqual({ ...decryptFailed, message: expect.any(String) });
			expect(headers.get("location")).toBeNull();
			expect((await startIn(instance, b)).body.url).toContain("client-of-b");
		},
	);

	it.each(tamperings.filter(([, column]) => column === "clientId"))(
		"is not listed with a client id %s (%s)",
		async (_, __, tamper) => {
			const { instance, a, b } = await makeBroken(tamper);
			const { status, body } = await listIn(instance, a);
			expect(status).toBe(500);
			expect(body).toEqual({ ...decryptFailed, message: expect.any(String) });
			expect((await listIn(instance, b)).status).toBe(200);
		},
	);

	it("can be registered anew, and deleted", async () => {
		const { instance, a, b } = await makeBroken((instance, a, b) => {
			for (const tenantId of [a, b]) writeColumn(instance, "clientId", tenantId, "garbage");
		});
		expect((await registerIn(instance, a)).status).toBe(200);
		expect((await startIn(instance, a)).body.url).toContain(clientId);
		const deleted = await instance.manage("/tenant/oauth-config/delete", {
			body: { tenantId: b, providerId: provider },
		});
		expect(deleted.status).toBe(200);
		expect((await startIn(instance, b)).body.url).toContain("hosts-own-client");
	});

	it("does not stand in the way once the config is disabled", async () => {
		const { instance, a } = await makeBroken((instance, a) => {
			writeColumn(instance, "clientId", a, "garbage");
			instance.database.exec("update tenantOauthConfig set enabled = 0");
		});
		expect((await startIn(instance, a)).body.url).toContain("hosts-own-client");
	});
});

describe("versioned secrets", () => {
	const one = "the first secret of thirty-two characters";
	const two = "the second secret of thirty-two characters";
	type Secrets = Pick<BetterAuthOptions, "secret" | "secrets">;

	/** The same host on the same database, started again with other secrets. */
	function restart(instance: Instance, secrets: Secrets) {
		const { secret: _, ...options } = instance.auth.options;
		return betterAuth({ ...(options as BetterAuthOptions), ...secrets, plugins: [tenantAuth()] });
	}

	type Restarted = ReturnType<typeof restart>;

	const clientsOf = async ({ api }: Restarted, tenantId: string) =>
		(await api.listTenantOAuthConfigs({ query: { tenantId } })).map((config) => config.clientId);

	async function makeSealedBy(secrets: Secrets) {
		const instance = await makeInstance();
		const tenantId = await instance.makeTenant();
		const auth = restart(instance, secrets);
		await auth.api.registerTenantOAuthConfig({
			body: { tenantId, providerId: provider, clientId, clientSecret },
		});
		return { instance, tenantId };
	}

	it("open old rows after a new version was added, and seal new ones with it", async () => {
		const { instance, tenantId } = await makeSealedBy({ secrets: [{ version: 1, value: one }] });
		expect(readColumn(instance, "clientSecret", tenantId)).toMatch(/^\$ba\$1\$/);
		const secrets = [
			{ version: 2, value: two },
			{ version: 1, value: one },
		];
		const auth = restart(instance, { secrets });
		expect(await clientsOf(auth, tenantId)).toEqual([clientId]);
		const start = await auth.api.signInSocialTenant({ body: { tenantId, provider } });
		expect(start).toMatchObject({ url: expect.stringContaining(clientId) });
		await auth.api.registerTenantOAuthConfig({
			body: { tenantId, providerId: provider, clientId: "newer", clientSecret },
		});
		expect(readColumn(instance, "clientId", tenantId)).toMatch(/^\$ba\$2\$/);
		expect(readColumn(instance, "clientSecret", tenantId)).toMatch(/^\$ba\$2\$/);
		expect(await clientsOf(auth, tenantId)).toEqual(["newer"]);
	});

	it("open rows of the single secret that was there before", async () => {
		const { instance, tenantId } = await makeSealedBy({ secret: one });
		const auth = restart(instance, { secret: one, secrets: [{ version: 1, value: two }] });
		expect(await clientsOf(auth, tenantId)).toEqual([clientId]);
	});

	it("open nothing once the version was retired", async () => {
		const { instance, tenantId } = await makeSealedBy({ secrets: [{ version: 1, value: one }] });
		const auth = restart(instance, { secrets: [{ version: 2, value: two }] });
		await expect(clientsOf(auth, tenantId)).rejects.toMatchObject({
			statusCode: 500,
			body: decryptFailed,
		});
	});

	it("open nothing with another secret", async () => {
		const { instance, tenantId } = await makeSealedBy({ secret: one });
		await expect(clientsOf(restart(instance, { secret: two }), tenantId)).rejects.toMatchObject({
			body: decryptFailed,
		});
	});
});
