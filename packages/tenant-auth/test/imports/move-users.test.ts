import { runWithTransaction } from "@better-auth/core/context";
import { admin } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import { type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import {
	addPasskey,
	enableSecondFactor,
	makePlatform,
	type Person,
	type Platform,
} from "../support/worlds/moving-people";
import { describeVariations } from "../support/worlds/variations";

const variations: [string, InstanceOptions][] = [
	["random ids", {}],
	["UUIDs", { advanced: { database: { generateId: "uuid" } } }],
	["counted ids", { advanced: { database: { generateId: "serial" } } }],
];

describe.each(eachDatabase)("moving users on %s", (_, open) => {
	describeVariations("with %s", variations, (options, it) => {
		let on: OpenDatabase;
		let app: Platform;

		beforeAll(async () => {
			on = await open();
			app = await makePlatform({ ...options, on });
		});

		afterAll(() => on.close());

		const codesOf = (body: { conflicts: { code: string }[] }) =>
			body.conflicts.map(({ code }) => code);

		it("moves a user who then signs in by password, username, second factor and passkey", async () => {
			const { call, signUp, signIn, sessionOf, move, makeTenant } = app;
			const tenant = await makeTenant();
			const ada = await signUp();
			const second = await enableSecondFactor(app, ada.cookie);
			const byPasskey = await addPasskey(app, second.cookie);
			const moved = await move(tenant, [ada.id]);
			expect([moved.status, moved.body.isDryRun, moved.body.conflicts]).toEqual([200, false, []]);
			expect(moved.body.rows).toMatchObject({ user: 1, account: 1, twoFactor: 1, passkey: 1 });

			const username = ada.name.replaceAll("-", "_");
			const atUsername = await call("/sign-in/username", {
				tenant,
				body: { username, password: PASSWORD },
			});
			for (const first of [await signIn(ada.email, tenant), atUsername]) {
				expect(first.body.twoFactorRedirect).toBe(true);
				const body = { code: second.code() };
				const done = await call("/two-factor/verify-totp", { cookie: first.cookie, body });
				expect((await sessionOf(done.cookie)).session).toMatchObject({
					userId: ada.id,
					tenantId: tenant,
				});
			}
			const entered = await byPasskey(tenant);
			expect(entered.body.session).toMatchObject({ userId: ada.id, tenantId: tenant });
		});

		it("leaves nothing of a moved user on the platform", async () => {
			const { call, signUp, signIn, move, makeTenant } = app;
			const ada = await signUp();
			const byPasskey = await addPasskey(app, ada.cookie);
			expect((await move(await makeTenant(), [ada.id])).status).toBe(200);
			expectRefusal(await signIn(ada.email), 401, "INVALID_EMAIL_OR_PASSWORD");
			const username = ada.name.replaceAll("-", "_");
			const body = { username, password: PASSWORD };
			expect((await call("/sign-in/username", { body })).status).toBe(401);
			expect((await byPasskey()).status).toBe(401);
			// Email and username are free again.
			const again = await call("/sign-up/email", {
				body: { name: ada.name, email: ada.email, password: PASSWORD, username },
			});
			expect(again.status).toBe(200);
		});

		it("keeps sessions, which are the tenant's from then on", async () => {
			const { signUp, sessionOf, move, makeTenant } = app;
			const [tenant, other] = [await makeTenant(), await makeTenant()];
			const ada = await signUp();
			await move(tenant, [ada.id]);
			for (const named of [undefined, tenant]) {
				expect((await sessionOf(ada.cookie, named)).session).toMatchObject({ tenantId: tenant });
			}
			expect(await sessionOf(ada.cookie, other)).toBeNull();
		});

		it("keeps API keys", async () => {
			const { call, signUp, move, makeTenant } = app;
			const tenant = await makeTenant();
			const ada = await signUp();
			const created = await call("/api-key/create", { cookie: ada.cookie, body: { name: "key" } });
			await move(tenant, [ada.id]);
			const headers = { "x-api-key": String(created.body.key) };
			for (const named of [{}, { tenant }]) {
				const { body } = await call("/get-session", { headers, ...named });
				expect(body.user).toMatchObject({ id: ada.id, tenantId: tenant });
			}
			const elsewhere = await call("/get-session", { headers, tenant: await makeTenant() });
			expect(elsewhere.status).toBe(401);
		});

		/** An organization with a team, a pending invitation and these members. */
		async function found(owner: Person, members: Person[] = []) {
			const { call, auth } = app;
			const as = (path: string, body: object) =>
				call(`/organization${path}`, { cookie: owner.cookie, body });
			const slug = `org-${owner.name}`;
			const { body } = await as("/create", { name: owner.name, slug });
			const organizationId = String(body.id);
			const team = await as("/create-team", { name: "Team", organizationId });
			const add = auth.api as unknown as Record<
				"addMember",
				(call: { body: object }) => Promise<unknown>
			>;
			for (const { id: userId } of members) {
				await add.addMember({ body: { userId, organizationId, role: "member" } });
				const teamId = String(team.body.id);
				await as("/add-team-member", { teamId, userId, organizationId });
			}
			const email = `later-${owner.name}@example.com`;
			await as("/invite-member", { email, role: "member", organizationId });
			return { organizationId, slug };
		}

		it("moves an organization with its last member", async () => {
			const { call, signUp, move, makeTenant } = app;
			const tenant = await makeTenant();
			const [ada, bob] = [await signUp(), await signUp()];
			const { organizationId, slug } = await found(ada, [bob]);
			const { status, body } = await move(tenant, [ada.id, bob.id]);
			expect([status, body.rows]).toEqual([
				200,
				expect.objectContaining({ organization: 1, member: 2, team: 2, invitation: 1 }),
			]);
			for (const { cookie } of [ada, bob]) {
				const listed = await call("/organization/list", { cookie });
				expect(listed.body).toEqual([expect.objectContaining({ id: organizationId, slug })]);
			}
			// The slug is free on the platform.
			const carol = await signUp();
			const again = await call("/organization/create", {
				cookie: carol.cookie,
				body: { name: "Again", slug },
			});
			expect(again.status).toBe(200);
		});

		it("refuses to take away an organization of users who stay", async () => {
			const { signUp, move, makeTenant, dump } = app;
			const [ada, bob] = [await signUp(), await signUp()];
			await found(ada, [bob]);
			const tenant = await makeTenant();
			const before = await dump();
			const refused = await move(tenant, [ada.id]);
			expectRefusal(refused, 409, "MOVE_REFUSED");
			expect(new Set(codesOf(refused.body))).toEqual(new Set(["SHARED_ROW"]));
			for (const { userId } of notEmpty(refused.body.conflicts)) expect(userId).toBe(bob.id);
			expect(await dump()).toBe(before);
		});

		it("lists what is taken in the tenant, and changes nothing", async () => {
			const { auth, call, signUp, move, makeTenant, dump } = app;
			const tenant = await makeTenant();
			const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
			const there = { password: PASSWORD, name: "There" };
			const username = bob.name.replaceAll("-", "_");
			const elsewhere = `else-${bob.email}`;
			await call("/sign-up/email", { tenant, body: { ...there, email: ada.email } });
			const second = await call("/sign-up/email", {
				tenant,
				body: { ...there, email: elsewhere, username },
			});
			const { internalAdapter } = await auth.$context;
			const account = { providerId: "github", accountId: `gh-${eve.name}` };
			await internalAdapter.linkAccount({ ...account, userId: eve.id });
			await runInTenant(auth, tenant, () =>
				internalAdapter.linkAccount({ ...account, userId: String(second.body.user.id) }),
			);
			const before = await dump();
			const all = [ada.id, bob.id, eve.id];
			const dry = await move(tenant, all, { dryRun: true });
			const refused = await move(tenant, all);
			expectRefusal(refused, 409, "MOVE_REFUSED");
			for (const { body } of [dry, refused]) {
				expect(codesOf(body).sort()).toEqual(["ACCOUNT_TAKEN", "EMAIL_TAKEN", "VALUE_TAKEN"]);
				const users = body.conflicts.map(({ userId }: { userId: string }) => userId);
				expect(new Set(users)).toEqual(new Set(all));
			}
			expect(await dump()).toBe(before);
		});

		it("moves the others if users with a conflict are skipped", async () => {
			const { call, signUp, signIn, sessionOf, move, makeTenant, dump } = app;
			const tenant = await makeTenant();
			const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
			const there = { password: PASSWORD, name: "There", email: ada.email };
			await call("/sign-up/email", { tenant, body: there });
			const all = [ada.id, "nobody", bob.id, eve.id];
			const skip = { onConflict: "skip" };
			const before = await dump();
			const dry = await move(tenant, all, { ...skip, dryRun: true });
			expect(await dump()).toBe(before);
			const { status, body } = await move(tenant, all, skip);
			expect([status, body.userIds, body.rows.user]).toEqual([200, [bob.id, eve.id], 2]);
			expect(codesOf(body).sort()).toEqual(["EMAIL_TAKEN", "USER_NOT_FOUND"]);
			expect(dry.body).toEqual({ ...body, isDryRun: true });
			for (const { cookie } of [bob, eve]) {
				expect((await sessionOf(cookie)).session.tenantId).toBe(tenant);
			}
			expect((await signIn(ada.email)).status).toBe(200);
			expect((await sessionOf(ada.cookie)).user.id).toBe(ada.id);
			// Now everybody who is named has a conflict, and nobody moves.
			const again = await move(tenant, all, skip);
			expect([again.status, again.body.userIds, again.body.rows]).toEqual([200, [], {}]);
			expect(codesOf(again.body).sort()).toEqual([
				...["EMAIL_TAKEN", "USER_IN_TENANT", "USER_IN_TENANT", "USER_NOT_FOUND"],
			]);
		});

		it("skips an organization whole if one of its members has to stay", async () => {
			const { call, signUp, sessionOf, move, makeTenant } = app;
			const tenant = await makeTenant();
			const people: Person[] = [];
			for (let n = 0; n < 5; n += 1) people.push(await signUp());
			const [ada, bob, eve, joe, zoe] = people as [Person, Person, Person, Person, Person];
			// Bob is in both, so Eve cannot move without him, nor he without Ada.
			await found(ada, [bob]);
			await found(bob, [eve]);
			const other = await found(joe, [zoe]);
			const there = { password: PASSWORD, name: "There", email: ada.email };
			await call("/sign-up/email", { tenant, body: there });
			const { status, body } = await move(
				tenant,
				people.map(({ id }) => id),
				{ onConflict: "skip" },
			);
			expect([status, body.userIds]).toEqual([200, [joe.id, zoe.id]]);
			expect(new Set(codesOf(body))).toEqual(new Set(["EMAIL_TAKEN", "SHARED_ROW"]));
			for (const { cookie } of [ada, bob, eve]) {
				expect((await sessionOf(cookie)).session.tenantId).toBeNull();
				expect((await call("/organization/list", { cookie })).body).not.toEqual([]);
			}
			const listed = await call("/organization/list", { cookie: zoe.cookie });
			expect(listed.body).toMatchObject([{ id: other.organizationId }]);
		});

		it("refuses users who do not exist or are in a tenant already", async () => {
			const { signUp, move, makeTenant, dump } = app;
			const [one, two] = [await makeTenant(), await makeTenant()];
			const [ada, bob] = [await signUp(), await signUp()];
			await move(one, [ada.id]);
			const before = await dump();
			for (const tenant of [one, two]) {
				const refused = await move(tenant, [ada.id, bob.id, "nobody"]);
				expect(codesOf(refused.body)).toEqual(["USER_IN_TENANT", "USER_NOT_FOUND"]);
			}
			expect(await dump()).toBe(before);
		});

		it("shows in a dry run exactly what a move does, and changes nothing", async () => {
			const { signUp, move, makeTenant, dump } = app;
			const tenant = await makeTenant();
			const ada = await signUp();
			await found(ada);
			const before = await dump();
			const dry = await move(tenant, [ada.id], { dryRun: true });
			expect(await dump()).toBe(before);
			const done = await move(tenant, [ada.id]);
			expect(dry.body).toEqual({ ...done.body, isDryRun: true });
		});

		it("lets one of two moves at once win", async () => {
			const { signUp, sessionOf, move, makeTenant } = app;
			const tenants = [await makeTenant(), await makeTenant()];
			const ada = await signUp();
			await found(ada);
			const answers = await Promise.all(tenants.map((tenant) => move(tenant, [ada.id])));
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
			const winner = tenants[answers.findIndex(({ status }) => status === 200)];
			expect((await sessionOf(ada.cookie)).session.tenantId).toBe(winner);
		});

		it("leaves no session of the platform to a user who signs in meanwhile", async () => {
			const { signUp, signIn, sessionOf, move, makeTenant } = app;
			const tenant = await makeTenant();
			const ada = await signUp();
			const signIns = [0, 1, 2, 3].map(() => signIn(ada.email));
			const [moved, ...answers] = await Promise.all([move(tenant, [ada.id]), ...signIns]);
			expect(moved?.status).toBe(200);
			for (const { cookie } of notEmpty(answers)) {
				const found = await sessionOf(cookie);
				if (found) expect(found.session.tenantId).toBe(tenant);
			}
			expect((await signIn(ada.email, tenant)).status).toBe(200);
		});

		it("moves nobody into a suspended or deleted tenant", async () => {
			const { manage, signUp, signIn, move, makeTenant } = app;
			const tenantId = await makeTenant();
			const ada = await signUp();
			await manage("/tenant/suspend", { body: { tenantId } });
			expectRefusal(await move(tenantId, [ada.id]), 403, "TENANT_SUSPENDED");
			await manage("/tenant/delete", { body: { tenantId } });
			expectRefusal(await move(tenantId, [ada.id]), 404, "TENANT_NOT_FOUND");
			expect((await signIn(ada.email)).status).toBe(200);
		});

		it("deletes a moved user with the tenant", async () => {
			const { manage, signUp, move, makeTenant, dump } = app;
			const tenantId = await makeTenant();
			const ada = await signUp();
			await found(ada);
			await move(tenantId, [ada.id]);
			await manage("/tenant/delete", { body: { tenantId } });
			await manage("/tenant/audit/erase", { body: { tenantId } });
			const rest = (await dump()).split("\n").filter((line) => line.includes(ada.name));
			expect(rest).toEqual([]);
		});
	});
});

describe("moving users", () => {
	it("needs a database with transactions", async () => {
		const { signUp, move, makeTenant } = await makePlatform({ transactions: false });
		const ada = await signUp();
		expectRefusal(await move(await makeTenant(), [ada.id]), 409, "TRANSACTION_REQUIRED");
	});

	it("does not run inside of a transaction of the app", async () => {
		const { auth, signUp, makeTenant } = await makePlatform();
		const [tenantId, ada] = [await makeTenant(), await signUp()];
		const { adapter } = await auth.$context;
		const moving = runWithTransaction(adapter, () =>
			auth.api.moveTenantUsers({ body: { tenantId, userIds: [ada.id] } }),
		);
		await expect(moving).rejects.toMatchObject({ body: { code: "TRANSACTION_REQUIRED" } });
	});

	it("refuses a platform admin", async () => {
		const options = { plugins: [admin()], tenants: { adminRoles: ["admin"] } };
		const { db, signUp, move, makeTenant } = await makePlatform(options);
		const ada = await signUp();
		await db.updateTable("user").set({ role: "admin" }).where("id", "=", ada.id).execute();
		const refused = await move(await makeTenant(), [ada.id]);
		expect(refused.body.conflicts).toEqual([
			expect.objectContaining({ code: "PLATFORM_ADMIN", userId: ada.id }),
		]);
	});

	it("refuses somebody who works for the app", async () => {
		const staff = new Set<string>();
		const { signUp, move, makeTenant } = await makePlatform({
			tenants: { isStaff: (userId) => staff.has(userId) },
		});
		const [ada, bob] = [await signUp(), await signUp()];
		staff.add(ada.id);
		const tenantId = await makeTenant();
		const refused = await move(tenantId, [ada.id, bob.id]);
		expect(refused.body.conflicts).toEqual([
			expect.objectContaining({ code: "PLATFORM_ADMIN", userId: ada.id }),
		]);
		expect((await move(tenantId, [bob.id])).status).toBe(200);
	});

	it("keeps a link to reset the password", async () => {
		const links: string[] = [];
		const app = await makePlatform({
			emailAndPassword: {
				enabled: true,
				sendResetPassword: async ({ token }) => {
					links.push(token);
				},
			},
		});
		const { call, signUp, signIn, move, makeTenant } = app;
		const [tenant, ada] = [await makeTenant(), await signUp()];
		await call("/request-password-reset", { body: { email: ada.email } });
		await move(tenant, [ada.id]);
		const newPassword = "another horse battery";
		const reset = await call("/reset-password", { body: { token: links[0], newPassword } });
		expect(reset.status).toBe(200);
		expect((await signIn(ada.email, tenant)).status).toBe(401);
	});

	it("refuses API keys that only a secondary storage has", async () => {
		const { apiKey } = await import("@better-auth/api-key");
		const app = await makePlatform({
			secondaryStorage: makeMemoryStorage(),
			plugins: [apiKey({ storage: "secondary-storage" })],
		});
		const { call, signUp, move, makeTenant } = app;
		const [tenant, ada] = [await makeTenant(), await signUp()];
		await call("/api-key/create", { cookie: ada.cookie, body: { name: "key" } });
		const refused = await move(tenant, [ada.id]);
		expect(refused.body.conflicts).toEqual([
			expect.objectContaining({ code: "API_KEY_IN_STORAGE", userId: ada.id }),
		]);
	});
});
