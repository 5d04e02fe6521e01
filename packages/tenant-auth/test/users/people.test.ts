import { tenantAccess } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import {
	type Instance,
	type InstanceOptions,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";
import { addPerson } from "../support/worlds/people";

const variations: [string, InstanceOptions][] = [
	["random ids", {}],
	["counted ids", { advanced: { database: { generateId: "serial" } } }],
	// What makes them reads rows before they change, also in a transaction.
	["events", { tenants: { onEvent: () => {} } }],
];

const roles = { agent: tenantAccess.newRole({ user: ["impersonate"] }) };

/** What those who manage do to the people of a tenant, on any database. */
describe.each(eachDatabase)("people of a tenant on %s", (_, open) => {
	describe.each(variations)("with %s", (_, options) => {
		let on: OpenDatabase;
		let app: Instance;
		let tenantId: string;

		beforeAll(async () => {
			on = await open();
			const { db, type } = on;
			app = await makeInstance({
				...options,
				on: { db, type },
				user: {
					deleteUser: { enabled: true },
					additionalFields: { nickname: { type: "string", required: false } },
				},
				tenants: { roles, ...options.tenants },
			});
		});

		afterAll(() => on.close());

		const post = (path: string, body: object) =>
			app.manage(`/tenant/user/${path}`, { body: { tenantId, ...body } });
		const person = (more: object = {}) => ({
			name: "Ada",
			email: `${Math.random().toString(36).slice(2)}@example.com`,
			...more,
		});
		const events = async (targetId: string) => {
			const query = { tenantId, targetId };
			const { body } = await app.manage("/tenant/audit/list", { query });
			return body.map(({ action }: { action: string }) => action);
		};
		const useTenant = () =>
			beforeAll(async () => {
				tenantId = await app.makeTenant();
			});

		describe("a user who is created", () => {
			useTenant();

			it("signs in with the password, and has the role and the fields of the app", async () => {
				const user = person({ email: "Ada@Example.COM", password: PASSWORD, nickname: "Countess" });
				const { status, body } = await post("create", {
					...user,
					emailVerified: true,
					image: "https://example.com/ada.png",
					role: "admin",
				});
				expect(status).toBe(200);
				expect(body).toMatchObject({
					email: "ada@example.com",
					name: "Ada",
					emailVerified: true,
					image: "https://example.com/ada.png",
					nickname: "Countess",
					tenantRole: "admin",
					disabledAt: null,
					tenantId,
				});
				const signIn = await app.signIn(tenantId, { email: "ADA@example.com" });
				expect(signIn.body.user.id).toBe(body.id);
				expect(await events(body.id)).toEqual(["user:create"]);
			});

			it("needs no password, and is a member who is not verified by default", async () => {
				const { email, name } = person();
				const { body } = await post("create", { email, name });
				expect(body).toMatchObject({ emailVerified: false, image: null, tenantRole: null });
				expect((await app.signIn(tenantId, { email })).status).toBe(401);
				const found = await app.manage("/tenant/user/get", {
					query: { tenantId, userId: body.id },
				});
				expect(found.body.accounts).toEqual([]);
			});

			it("is refused with an email that a user of the tenant has, also in a race", async () => {
				const taken = "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL";
				const user = person({ password: PASSWORD });
				const made = await Promise.all([1, 2, 3].map(() => post("create", user)));
				expect(made.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
				const late = await post("create", { ...user, email: user.email.toUpperCase() });
				expectRefusal(late, 422, taken);
				const other = await app.makeTenant();
				expect((await post("create", { ...user, tenantId: other })).status).toBe(200);
			});

			it("is refused in a suspended tenant", async () => {
				const suspended = await app.makeTenant();
				await app.manage("/tenant/suspend", { body: { tenantId: suspended } });
				const answer = await post("create", { ...person(), tenantId: suspended });
				expectRefusal(answer, 403, "TENANT_SUSPENDED");
			});
		});

		describe("a user who is updated", () => {
			useTenant();

			it("has the new values, and what was left out stays", async () => {
				const { body: user } = await post("create", person({ image: "/a.png" }));
				const { body } = await post("update", { userId: user.id, name: "Grace", role: "agent" });
				expect(body).toMatchObject({
					...user,
					name: "Grace",
					tenantRole: "agent",
					updatedAt: body.updatedAt,
				});
				const cleared = await post("update", { userId: user.id, image: null });
				expect(cleared.body).toMatchObject({ name: "Grace", image: null, tenantRole: "agent" });
				expect(await events(user.id)).toEqual(["user:update", "user:update", "user:create"]);
			});

			it("signs in with a new email, which is not verified unless the app says so", async () => {
				const { body: user } = await post(
					"create",
					person({ password: PASSWORD, emailVerified: true }),
				);
				const email = `New-${user.email}`;
				const { body } = await post("update", { userId: user.id, email });
				expect(body).toMatchObject({ email: email.toLowerCase(), emailVerified: false });
				expect((await app.signIn(tenantId, { email: user.email })).status).toBe(401);
				expect((await app.signIn(tenantId, { email })).status).toBe(200);
				const verified = await post("update", { userId: user.id, emailVerified: true });
				expect(verified.body.emailVerified).toBe(true);
				const same = await post("update", { userId: user.id, email });
				expect(same.body.emailVerified).toBe(true);
			});

			it("does not get the email of another user of the tenant", async () => {
				const { body: ada } = await post("create", person());
				const { body: bob } = await post("create", person());
				const answer = await post("update", { userId: bob.id, email: ada.email, name: "Mallory" });
				expectRefusal(answer, 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
				const found = await app.manage("/tenant/user/get", { query: { tenantId, userId: bob.id } });
				expect(found.body.user).toMatchObject({ name: "Ada", email: bob.email });
				expect(await events(bob.id)).toEqual(["user:create"]);
			});
		});

		describe("a user who is disabled", () => {
			useTenant();

			it("loses all sessions, keeps the date, and is enabled again", async () => {
				const { id: userId, cookie } = await addPerson(app, tenantId, null);
				const { body } = await post("disable", { userId });
				expect(body.disabledAt).toEqual(expect.any(String));
				expect((await app.call("/get-session", { cookie })).body).toBeNull();
				const again = await post("disable", { userId });
				expect(again.body.disabledAt).toBe(body.disabledAt);
				expect((await post("enable", { userId })).body.disabledAt).toBeNull();
				expect((await post("enable", { userId })).body.disabledAt).toBeNull();
				expect((await app.call("/get-session", { cookie })).body).toBeNull();
				expect(await events(userId)).toEqual([
					"user:enable",
					"user:enable",
					"user:disable",
					"user:disable",
				]);
			});
		});

		describe("a user who is impersonated", () => {
			useTenant();

			it("has a session for an hour that says by whom and cannot manage", async () => {
				const { id: userId } = await addPerson(app, tenantId, "owner");
				const { body } = await post("impersonate", {
					userId,
					reason: "An invoice",
					setCookie: true,
				});
				const { body: got, cookie } = await post("impersonate", {
					userId,
					reason: "An invoice",
					setCookie: true,
				});
				const own = await app.call("/get-session", { cookie });
				expect(own.body.user.id).toBe(userId);
				expect(own.body.session).toMatchObject({
					id: got.session.id,
					tenantImpersonator: expect.stringMatching(/^key:/),
				});
				const left = new Date(own.body.session.expiresAt).getTime() - Date.now();
				expect(left).toBeLessThanOrEqual(60 * 60 * 1000);
				const managing = await app.call("/tenant/user/list", { cookie });
				expectRefusal(managing, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
				expect(body.token).not.toBe(got.token);
				const list = await app.manage("/tenant/audit/list", {
					query: { tenantId, targetId: userId },
				});
				expect(list.body[0]).toMatchObject({
					action: "user:impersonate",
					detail: { reason: "An invoice", sessionId: got.session.id },
				});
			});
		});

		describe("the last owner", () => {
			const owners = async () => {
				const { body } = await app.manage("/tenant/user/list", { query: { tenantId } });
				const isOwner = (user: { tenantRole: string | null; disabledAt: string | null }) =>
					user.tenantRole === "owner" && user.disabledAt === null;
				return body.filter(isOwner).length;
			};

			const removals: [string, (userId: string, cookie: string) => Promise<{ status: number }>][] =
				[
					["deleted", (userId) => post("delete", { userId })],
					["disabled", (userId) => post("disable", { userId })],
					["given another role", (userId) => post("update", { userId, role: "admin" })],
					[
						"deleted by themselves",
						(_, cookie) => app.call("/delete-user", { body: { password: PASSWORD }, cookie }),
					],
				];

			it.each(removals)("cannot be %s", async (_, remove) => {
				tenantId = await app.makeTenant();
				const { id, cookie } = await addPerson(app, tenantId, "owner");
				await addPerson(app, tenantId, "admin");
				expect(await remove(id, cookie)).toMatchObject({
					status: 409,
					body: { code: "LAST_OWNER" },
				});
				expect(await owners()).toBe(1);
				expect((await app.call("/get-session", { cookie })).body.user.id).toBe(id);
				await addPerson(app, tenantId, "owner");
				expect((await remove(id, cookie)).status).toBe(200);
				expect(await owners()).toBe(1);
			});

			const pairs = removals.flatMap(([one, first]) =>
				removals.map(([other, second]) => [one, other, first, second] as const),
			);

			it.each(pairs)("stays if one owner is %s and the other %s at once", async (...input) => {
				const [, , first, second] = input;
				tenantId = await app.makeTenant();
				const [one, two] = [
					await addPerson(app, tenantId, "owner"),
					await addPerson(app, tenantId, "owner"),
				];
				const answers = await Promise.all([first(one.id, one.cookie), second(two.id, two.cookie)]);
				expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
				expect(await owners()).toBe(1);
			});

			it("goes with the tenant", async () => {
				tenantId = await app.makeTenant();
				await addPerson(app, tenantId, "owner");
				const { body } = await app.manage("/tenant/delete", { body: { tenantId } });
				expect(body).toEqual({ success: true });
				const query = { tenantId };
				expect((await app.manage("/tenant/user/list", { query })).status).toBe(404);
			});
		});
	});
});
