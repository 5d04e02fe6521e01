import type { BetterAuthPlugin } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { tenantAuth } from "better-auth-tenant";
import { tenantDomains } from "better-auth-tenant/domains";
import { tenantImports } from "better-auth-tenant/imports";
import { tenantInvitations } from "better-auth-tenant/invitations";
import { tenantSignIns } from "better-auth-tenant/sign-ins";
import { planUpgrade, type UpgradePlan } from "better-auth-tenant/upgrade";
import { deliverWebhooks, tenantWebhooks } from "better-auth-tenant/webhooks";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { notes } from "../port/notes";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import {
	earlier,
	earlierRows,
	readEarlierTables,
	writeEarlierVersion,
} from "../support/earlier-version";
import { keepLog } from "../support/processes/kept-log";
import { startReceiver } from "../support/providers/webhook-receiver";
import { type Instance, makeInstance, PASSWORD } from "../support/worlds/instance";
import { withTenants } from "../support/worlds/upgraded-app";

const { tenantId, adaId } = earlier;
const query = { tenantId };

interface Feature {
	make: () => BetterAuthPlugin;
	tables: string[];
	/** An endpoint that only apps with the plugin have. */
	path: string;
	/** Uses the rows of before. */
	use(app: Instance): Promise<void>;
}

const features: Record<string, Feature> = {
	"tenantWebhooks()": {
		make: tenantWebhooks,
		tables: ["tenantWebhook", "tenantWebhookDelivery"],
		path: "/tenant/webhook/list",
		async use({ auth, manage }) {
			const [{ id: webhookId, ...hook }] = (await manage("/tenant/webhook/list", { query })).body;
			expect(hook).toMatchObject({ url: "https://hooks.example.com/in", enabled: true });
			const receiver = await startReceiver();
			const body = { tenantId, webhookId, url: receiver.url };
			const updated = await manage("/tenant/webhook/update", { body });
			await deliverWebhooks(auth);
			await receiver.close();
			expect(updated.status).toBe(200);
			// It waited since before the upgrade.
			const { body: event = "", headers = {} } =
				receiver.received.find((it) => it.body.includes(adaId)) ?? {};
			expect(new Webhook(earlier.webhookSecret).verify(event, headers)).toMatchObject({
				type: "user.created",
				data: { userId: adaId },
			});
		},
	},
	"tenantDomains()": {
		make: tenantDomains,
		tables: ["tenantDomain"],
		path: "/tenant/domain/list",
		async use({ manage }) {
			const { body } = await manage("/tenant/domain/list", { query });
			expect(body).toMatchObject([
				{ host: "login.acme.example", verifiedAt: expect.any(String) },
				{ host: "acme.example", verifiedAt: expect.any(String) },
			]);
		},
	},
	"tenantImports()": {
		make: tenantImports,
		tables: ["tenantImportedUser"],
		path: "/tenant/user/import",
		async use({ manage }) {
			const users = [{ externalId: "legacy-1", email: "carol@example.com", name: "Carol" }];
			const { body } = await manage("/tenant/user/import", { body: { tenantId, users } });
			expect(body).toMatchObject({ unchanged: 1, failed: 0 });
		},
	},
	"tenantInvitations()": {
		make: tenantInvitations,
		tables: ["tenantInvitation"],
		path: "/tenant/invitation/list",
		async use({ call }) {
			const body = { token: earlier.invitationToken };
			const { cookie } = await call("/tenant/invitation/accept", { body });
			const bob = { tenantId, name: "Bob", email: "bob@example.com", password: PASSWORD };
			const signedUp = await call("/tenant/sign-up/email", { body: bob, cookie });
			expect(signedUp.body.user).toMatchObject({ tenantId, tenantRole: "admin" });
		},
	},
	"tenantSignIns()": {
		make: tenantSignIns,
		tables: ["tenantSignIn"],
		path: "/tenant/sign-in/list",
		async use({ manage }) {
			const failed = { result: "failed", reason: "INVALID_PASSWORD", ipAddress: "203.0.113.7" };
			const { body } = await manage("/tenant/sign-in/list", { query: { ...query, userId: adaId } });
			expect(body).toContainEqual(expect.objectContaining(failed));
		},
	},
	"notes()": {
		make: notes,
		tables: ["note"],
		path: "/tenant/note/list",
		async use({ manage }) {
			const { body } = await manage("/tenant/note/list", { query });
			expect(body).toMatchObject([{ text: "Buy milk" }]);
		},
	},
};
const all = Object.keys(features);
const tablesOf = (names: string[]) => names.flatMap((name) => features[name]?.tables ?? []);

const apps: [string, string[]][] = [
	["all plugins", all],
	["no other plugin", []],
	...all.map((name): [string, string[]] => [`only ${name}`, [name]]),
];

describe.each(eachDatabase)("an upgrade on %s from an earlier version", (_, open) => {
	describe.each(apps)("to tenantAuth() with %s", (_, names) => {
		const absent = all.filter((name) => !names.includes(name));
		const log = keepLog();
		let on: OpenDatabase;
		let before: typeof earlierRows;
		let after: typeof earlierRows;
		let plan: UpgradePlan;
		let app: Instance;

		beforeAll(async () => {
			on = await open();
			await writeEarlierVersion(on);
			before = await readEarlierTables(on);
			const plugins = names.flatMap((name) => features[name]?.make() ?? []);
			const options = withTenants(on, { plugins: [tenantAuth(), ...plugins] });
			plan = await planUpgrade(options);
			await plan.run();
			await (await getMigrations(options)).runMigrations();
			expect(await planUpgrade(options)).toMatchObject({ statements: [], blockers: [] });
			after = await readEarlierTables(on);
			app = await makeInstance({
				on,
				features: false,
				plugins,
				logger: log.logger,
				tenants: { allowPrivateProviderHosts: true },
			});
			await (await app.auth.$context).checkSchema?.();
		});
		afterAll(() => on.close());

		it("keeps every row of every table", () => {
			for (const [table, rows] of notEmpty(Object.entries(earlierRows))) {
				expect([table, before[table]?.length]).toEqual([table, notEmpty(rows).length]);
			}
			expect(after).toEqual(before);
		});

		it("only adds, and does not touch the tables of absent plugins", () => {
			const script = plan.statements.map(({ sql }) => sql).join("\n");
			expect(script).not.toMatch(/\b(drop|delete|update|modify)\b/i);
			for (const table of ["user", ...tablesOf(absent)]) {
				expect(script).not.toMatch(new RegExp(`["\`]${table}["\`]`));
			}
		});

		it("says which absent plugin has the rows of a table now", () => {
			// Every table of before belongs to somebody.
			const own = [...Object.keys(tenantAuth().schema), ...tablesOf(all)];
			expect(Object.keys(earlierRows).filter((table) => !own.includes(table))).toEqual([]);
			const ofApp = "notes()";
			const expected = absent
				.filter((name) => name !== ofApp)
				.map((name) => {
					const tables = tablesOf([name]).join(" and ");
					return expect.stringMatching(`^There are rows of .* in ${tables}, but it is not in the`);
				});
			expect(plan.notes).toEqual(expected);
			expect(plan.notes.map((note) => note.split(" ")[4])).toEqual(
				absent.filter((name) => name !== ofApp),
			);
		});

		it("starts without a complaint", () => {
			expect(log.lines).toEqual([]);
		});

		it("keeps sessions, passwords, links in emails and suspensions", async () => {
			const { body: ada } = await app.call("/get-session", { cookie: earlier.adaCookie });
			expect(ada.user).toMatchObject({ id: adaId, tenantId, tenantRole: "owner" });
			const { body: grace } = await app.call("/get-session", { cookie: earlier.graceCookie });
			expect(grace.user).toMatchObject({ name: "Grace", tenantId: null });
			expect((await app.signIn(tenantId)).body).toMatchObject({ user: { id: adaId } });
			const password = "a new password of Ada";
			const body = { token: earlier.resetToken, newPassword: password };
			expect((await app.call("/reset-password", { body })).status).toBe(200);
			expect((await app.signIn(tenantId, { password })).body).toMatchObject({
				user: { id: adaId },
			});
			const suspended = await app.signIn(earlier.suspendedTenantId);
			expect(suspended.body).toMatchObject({ code: "TENANT_SUSPENDED" });
		});

		it("keeps tenants, policies, OAuth clients and the audit log", async () => {
			const { body: tenant } = await app.manage("/tenant/get", { query: { id: tenantId } });
			expect(tenant).toMatchObject({ slug: "acme", metadata: { plan: "pro" } });
			const { body: policy } = await app.manage("/tenant/policy/get", { query });
			expect(policy).toMatchObject({ password: { minLength: 12 } });
			const { body: events } = await app.manage("/tenant/audit/list", { query });
			expect(events).toContainEqual(expect.objectContaining({ action: "policy:update" }));
			const { body: social } = await app.call("/tenant/sign-in/social", {
				body: { tenantId, provider: "google", disableRedirect: true },
			});
			// The stored client was decrypted.
			expect(social.url).toContain("client_id=client-of-acme");
		});

		it("leaves the rows of absent plugins alone while the app runs", async () => {
			const dora = await app.signUp(tenantId, "dora@example.com", "a password of Dora");
			expect(dora.status).toBe(200);
			const now = await readEarlierTables(on);
			const ofAbsent = (rows: typeof before) => tablesOf(absent).map((table) => rows[table]);
			expect(ofAbsent(now)).toEqual(ofAbsent(before));
		});

		it.each(all)("has %s with its rows, or without its endpoints", async (name) => {
			const { path = "", use } = features[name] ?? {};
			if (names.includes(name)) await use?.(app);
			else expect((await app.manage(path, { query })).status).toBe(404);
		});
	});
});
