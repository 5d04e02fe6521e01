import { inspectStoredSecrets } from "better-auth-tenant";
import { exportTenant, importTenant } from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance, PASSWORD } from "../support/worlds/instance";
import {
	addPasskey,
	enableSecondFactor,
	makePlatform,
	type Platform,
} from "../support/worlds/moving-people";

const SLUG = "acme";
const other = { secret: "the secret of another app, which is long enough" };

/** A tenant with something in many tables, and a second tenant with the same person. */
async function makeSource() {
	const app = await makePlatform();
	const { auth, call, manage } = app;
	const tenant = await app.makeTenant("first-name");
	const neighbor = await app.makeTenant("neighbor");
	const join = async (tenantId: string, name: string) => {
		const body = { name, email: `${name}@example.com`, password: PASSWORD, username: name };
		const { cookie, body: answer } = await call("/sign-up/email", { tenant: tenantId, body });
		return { cookie, id: String(answer.user.id) };
	};
	const ada = await join(tenant, "ada");
	await join(neighbor, "ada");
	const second = await enableSecondFactor(app, ada.cookie);
	const byPasskey = await addPasskey(app, second.cookie);
	const bob = await join(tenant, "bob");
	const org = { name: "Team", slug: "team" };
	await call("/organization/create", { cookie: bob.cookie, body: org });
	await call("/api-key/create", { cookie: bob.cookie, body: { name: "key" } });
	const credentials = { clientId: "client", clientSecret: "client secret" };
	const google = { tenantId: tenant, providerId: "google" as const, ...credentials };
	await auth.api.registerTenantOAuthConfig({ body: google });
	const url = "https://hooks.example.com/in";
	const hook = { tenantId: tenant, url, eventTypes: ["user.created"] };
	expect((await manage("/tenant/webhook/create", { body: hook })).status).toBe(200);
	await auth.api.updateTenant({
		body: { tenantId: tenant, slug: SLUG, metadata: { plan: "pro" } },
	});
	await app.addDomain(tenant, "acme.example.com", "email");
	return { ...app, tenant, neighbor, ada, bob, second, byPasskey };
}

const linesOf = async (app: Pick<Platform, "auth">, tenantId: string) => {
	const lines: string[] = [];
	for await (const line of exportTenant(app.auth, tenantId)) lines.push(line);
	return lines;
};

async function* stream(lines: readonly string[]) {
	yield* lines;
}

let source: Awaited<ReturnType<typeof makeSource>>;
let file: string[];

beforeAll(async () => {
	source = await makeSource();
	file = await linesOf(source, source.tenant);
});

describe("a tenant's file", () => {
	it("has rows of every table that the tenant has something in, other than what ends by itself", async () => {
		const { db, auth, tenant } = source;
		const { tables } = await auth.$context;
		const owned = await db
			.selectFrom("tenantRow")
			.selectAll()
			.where("tenantId", "=", tenant)
			.execute();
		const used = new Set(owned.map(({ model }) => String(model)));
		for (const [model, { fields, modelName }] of notEmpty(Object.entries(tables))) {
			if (!fields.tenantId || model === "tenantRow") continue;
			const rows = await db
				.selectFrom(modelName)
				.selectAll()
				.where("tenantId", "=", tenant)
				.execute();
			if (rows.length > 0) used.add(model);
		}
		const inFile = new Set(file.slice(1, -1).map((line) => String(JSON.parse(line).model)));
		const leftOut = [...used].filter((model) => !inFile.has(model));
		expect(leftOut.sort()).toEqual(["session", "tenantFormerSlug"]);
		expect(inFile.size).toBeGreaterThan(9);
	});

	it("has the plaintext of secrets, and nothing of other tenants", () => {
		const text = file.join("\n");
		expect(text).toContain("client secret");
		expect(text).not.toContain('refreshToken":"');
		expect(text).not.toContain(source.neighbor);
		expect(text.match(/"ada@example\.com"/g)).toHaveLength(1);
	});
});

describe.each(eachDatabase)("importing a tenant on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Platform;

	beforeAll(async () => {
		on = await open();
		app = await makePlatform({ ...other, on });
	});

	afterAll(() => on.close());

	/** So that each test starts without the tenant. Its slug stays reserved. */
	const remove = (tenantId: string) => app.manage("/tenant/delete", { body: { tenantId } });
	const resume = (tenantId: string) => app.auth.api.resumeTenant({ body: { tenantId } });

	it("continues where it was interrupted, and admits nobody until it is resumed", async () => {
		const { tenant, ada, second } = source;
		async function* broken() {
			yield* file.slice(0, file.length - 3);
			throw new Error("the disk was taken away");
		}
		await expect(importTenant(app.auth, broken())).rejects.toThrow("the disk was taken away");
		expectRefusal(await app.signIn("ada@example.com", tenant), 403, "TENANT_SUSPENDED");
		const report = await importTenant(app.auth, stream(file));
		expect(report).toMatchObject({ tenantId: tenant, slug: SLUG });
		expect(report.existing).toBeGreaterThan(0);
		expect(report.written + report.existing).toBe(file.length - 2);
		expect(report.tables).toMatchObject({ user: 2, account: 2, passkey: 1, twoFactor: 1 });
		expectRefusal(await app.signIn("ada@example.com", tenant), 403, "TENANT_SUSPENDED");

		await resume(tenant);
		const username = { username: "ada", password: PASSWORD };
		const byName = await app.call("/sign-in/username", { tenant, body: username });
		for (const first of [await app.signIn("ada@example.com", tenant), byName]) {
			expect(first.body.twoFactorRedirect).toBe(true);
			const body = { code: second.code() };
			const done = await app.call("/two-factor/verify-totp", { cookie: first.cookie, body });
			const { session } = await app.sessionOf(done.cookie);
			expect(session).toMatchObject({ userId: ada.id, tenantId: tenant });
		}
		const old = await app.call("/get-session", { cookie: ada.cookie });
		expect(old.body).toBeNull();
	});

	it("encrypts everything with its own secret", async () => {
		const states: string[] = [];
		for await (const { state } of inspectStoredSecrets(app.auth)) states.push(state);
		expect(states.length).toBeGreaterThan(3);
		expect(new Set(states)).toEqual(new Set(["current"]));
	});

	it("keeps the slugs that the tenant had", async () => {
		const taken = await app.manage("/tenant/create", { body: { name: "x", slug: "first-name" } });
		expectRefusal(taken, 409, "TENANT_ALREADY_EXISTS");
	});

	it("exports the same again", async () => {
		const again = await linesOf(app, source.tenant);
		const tables = (line?: string) => JSON.parse(String(line)).tables;
		const { tenantAuditEvent: _, ...expected } = tables(file.at(-1));
		expect(tables(again.at(-1))).toMatchObject(expected);
	});

	it("refuses a tenant that exists, also when it is suspended", async () => {
		await app.auth.api.suspendTenant({ body: { tenantId: source.tenant } });
		const before = await app.dump();
		await expect(importTenant(app.auth, stream(file))).rejects.toMatchObject({
			body: { code: "TENANT_ALREADY_EXISTS" },
		});
		expect(await app.dump()).toBe(before);
	});

	it("restores a tenant that was deleted, if its slug may be used again", async () => {
		expect((await remove(source.tenant)).status).toBe(200);
		await expect(importTenant(app.auth, stream(file))).rejects.toMatchObject({
			body: { code: "TENANT_ALREADY_EXISTS" },
		});
		const { tables } = await importTenant(app.auth, stream(file), { releaseSlug: true });
		expect(tables.user).toBe(2);
		// It is complete, so nothing continues.
		await expect(importTenant(app.auth, stream(file))).rejects.toMatchObject({
			body: { code: "TENANT_ALREADY_EXISTS" },
		});
		expect((await remove(source.tenant)).status).toBe(200);
	});

	it("writes nothing into a tenant of another import, though the file names the time of its suspension", async () => {
		const tenant = await app.makeTenant();
		const suspended = await app.auth.api.suspendTenant({ body: { tenantId: tenant } });
		const [first = "", ...rest] = file.map((line) => line.replaceAll(source.tenant, tenant));
		const exportedAt = new Date(String(suspended.suspendedAt)).toISOString();
		const lines = [JSON.stringify({ ...JSON.parse(first), exportedAt }), ...rest];
		await expect(importTenant(app.auth, stream(lines))).rejects.toMatchObject({
			body: { code: "TENANT_ALREADY_EXISTS" },
		});
		const users = await app.auth.api.listTenantUsers({ query: { tenantId: tenant } });
		expect(users).toHaveLength(0);
	});

	const meanwhile: [string, (tenantId: string) => Promise<unknown>][] = [
		["is deleted", remove],
		["is resumed", resume],
	];

	it.each(meanwhile)("ends if the tenant %s meanwhile", async (_what, change) => {
		async function* interrupted() {
			// The first batch ends where the table does.
			const second = file.findIndex((line) => JSON.parse(line).model === "account");
			yield* file.slice(0, second + 1);
			await change(source.tenant);
			yield* file.slice(second + 1);
		}
		const importing = importTenant(app.auth, interrupted(), { releaseSlug: true });
		await expect(importing).rejects.toThrow(/changed, resumed or deleted/);
		await remove(source.tenant);
		const left = await app.db
			.selectFrom("user")
			.selectAll()
			.where("tenantId", "=", source.tenant)
			.execute();
		expect(left).toHaveLength(0);
	});

	it("takes no former slug that a tenant has", async () => {
		await app.makeTenant("has-it");
		const [first = "", ...rest] = file;
		const lines = [JSON.stringify({ ...JSON.parse(first), formerSlugs: ["has-it"] }), ...rest];
		await importTenant(app.auth, stream(lines), { releaseSlug: true });
		const where = [{ field: "slug", value: "has-it" }];
		const { adapter } = await app.auth.$context;
		expect(await adapter.findOne({ model: "tenantFormerSlug", where })).toBeNull();
		await remove(source.tenant);
	});

	it("ignores a column that it does not have, if it has no value", async () => {
		const lines = changed("user", () => ({ unknown: null }));
		const { tables } = await importTenant(app.auth, stream(lines), { releaseSlug: true });
		expect(tables.user).toBe(2);
		await remove(source.tenant);
	});

	type Line = { model: string; row: Record<string, unknown> };
	/** The file with one line changed. */
	const changed = (model: string, change: (row: Line["row"]) => object) =>
		file.map((text) => {
			const line = JSON.parse(text) as Line;
			return line.model === model
				? JSON.stringify({ ...line, row: { ...line.row, ...change(line.row) } })
				: text;
		});

	const withLine = (at: number, text: string) => [
		...file.slice(0, at),
		text,
		...file.slice(at + 1),
	];

	/** The file with another row of the tenant. */
	const asTenant = (columns: object) => {
		const first = JSON.parse(file[0] ?? "");
		return withLine(0, JSON.stringify({ ...first, tenant: { ...first.tenant, ...columns } }));
	};

	const bad: [string, () => Promise<string[]>, RegExp][] = [
		["has metadata that is a list", async () => asTenant({ metadata: "[]" }), /tenant\.metadata/],
		["has metadata that is no text", async () => asTenant({ metadata: {} }), /tenant\.metadata/],
		[
			"has a policy that is none",
			async () => asTenant({ policy: '{"signIn":{"methods":5}}' }),
			/tenant\.policy/,
		],
		["has webhooks that are none", async () => asTenant({ webhooks: "[1]" }), /tenant\.webhooks/],
		["has a date that is none", async () => asTenant({ createdAt: "soon" }), /tenant\.createdAt/],
		["has no end", async () => file.slice(0, -1), /not complete/],
		["is empty", async () => [], /not complete/],
		["is another file", async () => ["id,email"], /first line/],
		["goes on after its end", async () => [...file, String(file.at(-1))], /after the end/],
		["has a line that is no JSON", async () => withLine(2, "{"), /line 3 /],
		[
			"lacks a line",
			async () => [...file.slice(0, -2), ...file.slice(-1)],
			/not those that were exported/,
		],
		[
			"was edited",
			async () => changed("user", () => ({ name: "Eve" })),
			/not those that were exported/,
		],
		[
			"has an unknown table",
			async () => withLine(1, JSON.stringify({ model: "unknown", row: { id: "1" } })),
			/rows of unknown/,
		],
		[
			"has an unknown column",
			async () => changed("user", () => ({ unknown: 1 })),
			/no column user\.unknown/,
		],
		[
			"names another tenant",
			async () => changed("user", () => ({ tenantId: "x" })),
			/no column user\.tenantId/,
		],
		[
			"gives an account to a user of another tenant",
			async () => {
				const { id } = await app.signUp();
				return changed("account", () => ({ userId: id }));
			},
			/not before it in the file/,
		],
		[
			"gives a key to a user of another tenant",
			async () => {
				const { id } = await app.signUp();
				return changed("apikey", () => ({ referenceId: id }));
			},
			/apikey\.referenceId refers to a user of another tenant/,
		],
		[
			"takes the id of a user of another tenant",
			async () => {
				const { id } = await app.signUp();
				return file.map((line) => line.replaceAll(source.ada.id, id));
			},
			/another tenant has user/,
		],
	];

	it.each(bad)("refuses a file that %s", async (_why, make, problem) => {
		const lines = await make();
		const { tenant: id } = source;
		const importing = importTenant(app.auth, stream(lines), { releaseSlug: true });
		await expect(importing).rejects.toThrow(problem);
		// What is there already admits nobody.
		const made = await app.manage("/tenant/get", { query: { id } });
		if (made.status === 200) expect(made.body.suspendedAt).not.toBeNull();
		await remove(id);
	});
});

it("refuses a tenant where the database counts ids", async () => {
	const app = await makePlatform({ ...other, advanced: { database: { generateId: "serial" } } });
	await expect(importTenant(app.auth, stream(file))).rejects.toThrow("counts the ids");
});

it("refuses tables whose rows refer to each other, and databases without transactions", async () => {
	const reference = (model: string) => ({
		type: "string" as const,
		required: false,
		references: { model, field: "id" },
	});
	const circle = {
		id: "circle",
		schema: { folder: { fields: { parentId: reference("folder") } } },
	};
	const app = await makeInstance({ plugins: [circle] });
	const exporting = linesOf(app, await app.makeTenant());
	await expect(exporting).rejects.toThrow("refer to each other");
	const without = await makeInstance({ transactions: false });
	await expect(importTenant(without.auth, stream(file))).rejects.toMatchObject({
		body: { code: "TRANSACTION_REQUIRED" },
	});
});

it("ends without a last line if the tenant is deleted during its export", async () => {
	const { manage, makeTenant, signUp, auth } = await makeInstance();
	const tenant = await makeTenant();
	await signUp(tenant);
	const lines = exportTenant(auth, tenant);
	await lines.next();
	await lines.next();
	await manage("/tenant/delete", { body: { tenantId: tenant } });
	const rest = async () => {
		for await (const _ of lines);
	};
	await expect(rest()).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
});

it("refuses to export a tenant that is being deleted", async () => {
	const { db, makeTenant } = source;
	const tenant = await makeTenant();
	const deleting = { erasingSince: new Date().toISOString() };
	await db.updateTable("tenant").set(deleting).where("id", "=", tenant).execute();
	await expect(linesOf(source, tenant)).rejects.toMatchObject({
		body: { code: "TENANT_NOT_FOUND" },
	});
});

it("refuses to export a tenant that does not exist, or whose secrets cannot be read", async () => {
	await expect(linesOf(source, "unknown")).rejects.toMatchObject({
		body: { code: "TENANT_NOT_FOUND" },
	});
	await source.db.updateTable("tenantOauthConfig").set({ clientSecret: "00" }).execute();
	await expect(linesOf(source, source.tenant)).rejects.toThrow(/no secret of the app decrypts/);
});
