import { recheckDomains } from "better-auth-tenant/domains";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import { type Instance, makeInstance } from "../support/worlds/instance";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Adding, verifying, losing and finding domains, on any database. */
describe.each(eachDatabase)("domains on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Instance;

	beforeAll(async () => {
		on = await open();
		const { db, type, pool } = on;
		app = await makeInstance({
			on: { db, type, ...(pool ? { pool } : {}) },
			tenants: { allowPrivateProviderHosts: true },
		});
	});

	afterAll(() => on.close());

	let made = 0;
	const newHost = () => `host-${++made}.example.com`;

	type Purpose = "login" | "email";

	const add = (tenantId: string, host: string, purpose: Purpose = "login") =>
		app.manage("/tenant/domain/add", { body: { tenantId, host, purpose } });
	const verify = (tenantId: string, domainId: string) =>
		app.manage("/tenant/domain/verify", { body: { tenantId, domainId } });
	const update = (tenantId: string, domainId: string, change: object) =>
		app.manage("/tenant/domain/update", { body: { tenantId, domainId, ...change } });
	const remove = (tenantId: string, domainId: string) =>
		app.manage("/tenant/domain/remove", { body: { tenantId, domainId } });
	const list = async (tenantId: string) =>
		(await app.manage("/tenant/domain/list", { query: { tenantId } })).body;
	const discover = async (email: string) =>
		(await app.call("/tenant/discover", { query: { email } })).body;
	const ask = async (domain: string) =>
		(await app.call("/tenant/domain/ask", { query: { domain } })).status;

	/** What the audit log says about the domains of a tenant, oldest first. */
	async function audited(tenantId: string) {
		const query = { tenantId, order: "oldest" };
		const { body } = await app.manage("/tenant/audit/list", { query });
		return body.filter(({ action }: { action: string }) => action.startsWith("domain:"));
	}

	/** Adds a domain, and publishes its record. */
	async function publish(tenantId: string, host: string, purpose: Purpose = "login") {
		const { body } = await add(tenantId, host, purpose);
		const { name, value } = body.record;
		app.dns.set(name, [...(app.dns.get(name) ?? []), value]);
		const unpublish = () =>
			app.dns.set(
				name,
				(app.dns.get(name) ?? []).filter((text) => text !== value),
			);
		return { id: body.id as string, unpublish };
	}

	describe("a domain", () => {
		it("is added, verified, used and removed, and all of it is in the audit log", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const added = await add(tenantId, host);
			expect(added.body).toMatchObject({
				tenantId,
				host,
				purpose: "login",
				state: "pending",
				primary: false,
				discoverable: false,
				verifiedAt: null,
				record: {
					type: "TXT",
					name: `_better-auth-tenant.${host}`,
					value: expect.stringMatching(/^better-auth-tenant=\w{32}$/),
				},
			});
			const { id, record } = added.body;
			expect(await ask(host)).toBe(404);
			expectRefusal(await verify(tenantId, id), 422, "DNS_RECORD_NOT_FOUND");
			app.dns.set(record.name, ["something else", `"${record.value}"`]);
			const verified = await verify(tenantId, id);
			expect(verified.body).toMatchObject({ id, state: "verified", primary: true });
			expect(await list(tenantId)).toEqual([verified.body]);
			expect(await ask(host)).toBe(200);
			expect((await remove(tenantId, id)).body).toEqual({ success: true });
			expect(await list(tenantId)).toEqual([]);
			expect(await ask(host)).toBe(404);
			expectRefusal(await remove(tenantId, id), 404, "DOMAIN_NOT_FOUND");
			const events = await audited(tenantId);
			expect(events.map(({ action }: { action: string }) => action)).toEqual([
				"domain:add",
				"domain:verify",
				"domain:remove",
			]);
			for (const event of notEmpty(events)) {
				expect(event).toMatchObject({ targetId: id, detail: { host, purpose: "login" } });
				expect(JSON.stringify(event)).not.toContain(record.value);
			}
		});

		it("is added once per purpose, also by two calls at once", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const answers = await Promise.all([add(tenantId, host), add(tenantId, host.toUpperCase())]);
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
			expect(answers.map(({ body }) => body.code)).toContain("DOMAIN_ALREADY_ADDED");
			expect((await add(tenantId, host, "email")).status).toBe(200);
			expect(await list(tenantId)).toHaveLength(2);
		});

		it("gets a new token when it is added again, so an old record proves nothing", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const { id } = await publish(tenantId, host);
			await remove(tenantId, id);
			const { body } = await add(tenantId, host);
			expectRefusal(await verify(tenantId, body.id), 422, "DNS_RECORD_NOT_FOUND");
		});

		it("is primary if it was chosen last, and no other is", async () => {
			const tenantId = await app.makeTenant();
			const [first, second] = [newHost(), newHost()];
			await app.addDomain(tenantId, first);
			const { body } = await app.addDomain(tenantId, second);
			const primary = async () =>
				(await list(tenantId)).flatMap((domain: { primary: boolean; host: string }) =>
					domain.primary ? domain.host : [],
				);
			expect(await primary()).toEqual([first]);
			expect((await update(tenantId, body.id, { primary: true })).body.primary).toBe(true);
			expect(await primary()).toEqual([second]);
			await remove(tenantId, body.id);
			expect(await primary()).toEqual([first]);
		});

		it("can be used only after it was verified, and only for its purpose", async () => {
			const tenantId = await app.makeTenant();
			const { id } = await publish(tenantId, newHost());
			expectRefusal(await update(tenantId, id, { primary: true }), 409, "DOMAIN_NOT_VERIFIED");
			await verify(tenantId, id);
			expectRefusal(await update(tenantId, id, { discoverable: true }), 400, "INVALID_DOMAIN");
			const mail = (await app.addDomain(tenantId, newHost(), "email")).body;
			expectRefusal(await update(tenantId, mail.id, { primary: true }), 400, "INVALID_DOMAIN");
		});

		it("goes with its tenant, and is free for others", async () => {
			const [one, two] = [await app.makeTenant(), await app.makeTenant()];
			const host = newHost();
			await app.addDomain(one, host);
			await app.manage("/tenant/delete", { body: { tenantId: one } });
			expect(await ask(host)).toBe(404);
			expect((await app.addDomain(two, host)).body).toMatchObject({ state: "verified" });
		});
	});

	describe("a domain that two tenants have added", () => {
		it("belongs to the one that proves it, not to the first one", async () => {
			const [squatter, owner] = [await app.makeTenant(), await app.makeTenant()];
			const host = newHost();
			await add(squatter, host);
			const { id } = await publish(owner, host);
			expect((await verify(owner, id)).body).toMatchObject({ state: "verified" });
			const [pending] = await list(squatter);
			expectRefusal(await verify(squatter, pending.id), 422, "DNS_RECORD_NOT_FOUND");
		});

		it("stays with the tenant that has verified it while its record exists", async () => {
			const [one, two] = [await app.makeTenant(), await app.makeTenant()];
			const host = newHost();
			const first = await publish(one, host);
			await verify(one, first.id);
			const second = await publish(two, host);
			expectRefusal(await verify(two, second.id), 409, "DOMAIN_TAKEN");
			first.unpublish();
			expect((await verify(two, second.id)).body).toMatchObject({ state: "verified" });
			expect(await list(one)).toMatchObject([{ state: "pending", primary: false }]);
			expectRefusal(await verify(one, first.id), 422, "DNS_RECORD_NOT_FOUND");
			const lost = (await audited(one)).at(-1);
			expect(lost).toMatchObject({
				action: "domain:lost",
				actor: { kind: "server", id: null },
				targetId: first.id,
				ipAddress: null,
				userAgent: null,
				detail: { host, purpose: "login", reason: "taken-over" },
			});
			expect(JSON.stringify(lost)).not.toContain(two);
			expect((await audited(two)).at(-1)).toMatchObject({ action: "domain:verify" });
		});

		it("tells the webhooks of each tenant what happened to its own domain", async () => {
			const [one, two] = [await app.makeTenant(), await app.makeTenant()];
			const host = newHost();
			for (const tenantId of [one, two]) {
				const body = { tenantId, url: "https://hooks.example.com", eventTypes: ["*"] };
				expect((await app.manage("/tenant/webhook/create", { body })).status).toBe(200);
			}
			const first = await publish(one, host);
			await verify(one, first.id);
			first.unpublish();
			await verify(two, (await publish(two, host)).id);
			const told = async (tenantId: string) => {
				const { adapter } = await app.auth.$context;
				const rows = await adapter.findMany<{ payload: string }>({
					model: "tenantWebhookDelivery",
					where: [{ field: "tenantId", value: tenantId }],
				});
				return rows
					.map(({ payload }) => JSON.parse(payload))
					.filter(({ type }) => type.startsWith("domain."))
					.map(({ type, data }) => `${type} ${data.domain}`)
					.sort();
			};
			expect(await told(one)).toEqual([
				`domain.added ${host}`,
				`domain.lost ${host}`,
				`domain.verified ${host}`,
			]);
			expect(await told(two)).toEqual([`domain.added ${host}`, `domain.verified ${host}`]);
		});

		it("is verified by one of them if both prove it at once", async () => {
			const host = newHost();
			const tenants = await Promise.all([1, 2, 3].map(() => app.makeTenant()));
			const added = [];
			for (const tenantId of tenants) added.push({ tenantId, ...(await publish(tenantId, host)) });
			const answers = await Promise.all(
				added.flatMap(({ tenantId, id }) => [verify(tenantId, id), verify(tenantId, id)]),
			);
			for (const { status, body } of notEmpty(answers)) {
				expect([200, 409], JSON.stringify(body)).toContain(status);
			}
			const states = (await Promise.all(tenants.map(list))).flat();
			expect(states.filter(({ state }) => state === "verified")).toHaveLength(1);
			expect(await ask(host)).toBe(200);
		});

		it("is verified by one of two who take it over at once", async () => {
			const host = newHost();
			const [old, one, two] = await Promise.all([1, 2, 3].map(() => app.makeTenant()));
			const first = await publish(String(old), host);
			await verify(String(old), first.id);
			first.unpublish();
			const [a, b] = [await publish(String(one), host), await publish(String(two), host)];
			const answers = await Promise.all([verify(String(one), a.id), verify(String(two), b.id)]);
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
			expect(await list(String(old))).toMatchObject([{ state: "pending" }]);
			const losses = (await audited(String(old))).filter(
				({ action }: { action: string }) => action === "domain:lost",
			);
			expect(losses).toHaveLength(1);
		});
	});

	describe("recheckDomains", () => {
		it("takes a domain away when its record is gone for longer than the grace period", async () => {
			const tenantId = await app.makeTenant();
			const [kept, gone] = [newHost(), newHost()];
			await app.addDomain(tenantId, kept);
			const { id, unpublish } = await publish(tenantId, gone);
			await verify(tenantId, id);
			const state = async () =>
				(await list(tenantId)).find((domain: { id: string }) => domain.id === id);
			unpublish();
			expect(await recheckDomains(app.auth)).toMatchObject({ missing: 1, lost: 0, failed: 0 });
			expect(await state()).toMatchObject({
				state: "verified",
				missingSince: expect.any(String),
			});
			expect(await recheckDomains(app.auth)).toMatchObject({ missing: 1, lost: 0 });
			const { adapter } = await app.auth.$context;
			const missingSince = new Date(Date.now() - 3 * DAY_MS);
			const where = [{ field: "id", value: id }];
			await adapter.update({ model: "tenantDomain", where, update: { missingSince } });
			expect(await recheckDomains(app.auth)).toMatchObject({ missing: 0, lost: 1 });
			expect(await state()).toMatchObject({ state: "pending", missingSince: null });
			expect(await ask(gone)).toBe(404);
			expect(await ask(kept)).toBe(200);
			expect((await audited(tenantId)).at(-1)).toMatchObject({
				action: "domain:lost",
				detail: { host: gone, reason: "record-gone" },
			});
		});

		it("forgets that a record was gone when it is back", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const { id, unpublish } = await publish(tenantId, host);
			const { body } = await verify(tenantId, id);
			unpublish();
			await recheckDomains(app.auth);
			app.dns.set(body.record.name, [body.record.value]);
			await recheckDomains(app.auth);
			expect(await list(tenantId)).toMatchObject([{ state: "verified", missingSince: null }]);
		});
	});

	describe("an email domain", () => {
		it("tells the tenant of an email if the tenant wants it, and otherwise nothing", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const login = newHost();
			const { id } = await publish(tenantId, host, "email");
			const nobody = { tenant: null };
			expect(await discover(`ada@${host}`)).toEqual(nobody);
			await verify(tenantId, id);
			expect(await discover(`ada@${host}`)).toEqual(nobody);
			await update(tenantId, id, { discoverable: true });
			const tenant = { id: tenantId, loginHost: null };
			expect((await discover(`ada@${host}`)).tenant).toMatchObject(tenant);
			await app.addDomain(tenantId, login);
			expect((await discover(`Ada@${host.toUpperCase()}`)).tenant).toMatchObject({
				id: tenantId,
				loginHost: login,
			});
			expect(await discover(`ada@sub.${host}`)).toEqual(nobody);
			expect(await discover(`ada@${login}`)).toEqual(nobody);
			await app.manage("/tenant/suspend", { body: { tenantId } });
			expect(await discover(`ada@${host}`)).toEqual(nobody);
		});

		it("is trusted only while the tenant has it", async () => {
			const tenantId = await app.makeTenant();
			const host = newHost();
			const { id } = await publish(tenantId, host, "email");
			await verify(tenantId, id);
			await app.manage("/tenant/oauth-config/register", {
				body: {
					tenantId,
					providerId: "gitlab",
					clientId: "id",
					clientSecret: "secret",
					options: { issuer: "https://gitlab.example.com" },
					trustEmails: [host, "other.example.com"],
				},
			});
			await remove(tenantId, id);
			const { body } = await app.manage("/tenant/oauth-config/list", { query: { tenantId } });
			expect(body).toMatchObject([{ trustEmails: ["other.example.com"] }]);
		});
	});

	describe.each(["serial", "uuid"] as const)("with %s ids", (generateId) => {
		it("domains are added, verified, found and rechecked", async () => {
			const other = await open();
			onTestFinished(() => other.close());
			const { db, type, pool } = other;
			const { makeTenant, addDomain, manage, call, auth } = await makeInstance({
				on: { db, type, ...(pool ? { pool } : {}) },
				advanced: { database: { generateId } },
			});
			const tenantId = await makeTenant();
			const { body } = await addDomain(tenantId, "acme.com", "email");
			const change = { tenantId, domainId: body.id, discoverable: true };
			expect((await manage("/tenant/domain/update", { body: change })).status).toBe(200);
			const find = async (email: string) =>
				(await call("/tenant/discover", { query: { email } })).body;
			expect(await find("ada@acme.com")).toMatchObject({ tenant: { id: tenantId } });
			expect(await find("ada@globex.com")).toEqual({ tenant: null });
			expect(await recheckDomains(auth)).toMatchObject({ checked: 1, missing: 0 });
			const wrong = { tenantId, domainId: "nothing" };
			expectRefusal(
				await manage("/tenant/domain/verify", { body: wrong }),
				404,
				"DOMAIN_NOT_FOUND",
			);
		});
	});
});
