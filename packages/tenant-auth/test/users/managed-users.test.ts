import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isByManagement } from "../../src/call/context/policy-check";
import { makeFaultyStorage, makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { type Instance, makeInstance, PASSWORD } from "../support/worlds/instance";
import { addPerson, makePeople } from "../support/worlds/people";
import { sessionStores } from "../support/worlds/session-stores";

const person = (more: object = {}) => ({ name: "Ada", email: "ada@example.com", ...more });

describe("hooks of the app", () => {
	it("run for a user who is created, and see that it is by management", async () => {
		const seen: [string, boolean][] = [];
		const note = (what: string) => async () => void seen.push([what, isByManagement()]);
		const { manage, signUp, makeTenant } = await makeInstance({
			user: { validateUserInfo: async ({ source }) => void seen.push([source.method, true]) },
			databaseHooks: {
				user: { create: { before: note("user"), after: note("after") } },
				account: { create: { before: note("account") } },
			},
		});
		const tenantId = await makeTenant();
		const body = { tenantId, ...person({ password: PASSWORD }) };
		expect((await manage("/tenant/user/create", { body })).status).toBe(200);
		expect(seen).toEqual([
			["admin", true],
			["user", true],
			["account", true],
			["after", false],
		]);
		seen.length = 0;
		await signUp(tenantId, "bob@example.com");
		expect(seen.filter(([what]) => what === "user")).toEqual([["user", false]]);
	});

	it("may use a connection of their own when a user is updated", async () => {
		const seen: number[] = [];
		const host: Instance = await makeInstance({
			databaseHooks: {
				user: {
					update: {
						before: async () => {
							seen.push((await host.db.selectFrom("user").selectAll().execute()).length);
						},
					},
				},
			},
		});
		const tenantId = await host.makeTenant();
		const [one] = [
			await addPerson(host, tenantId, "owner"),
			await addPerson(host, tenantId, "owner"),
		];
		const body = { tenantId, userId: one.id, name: "Grace", role: "member" };
		const { body: changed } = await host.manage("/tenant/user/update", { body });
		expect(changed).toMatchObject({ name: "Grace", tenantRole: "member" });
		expect(seen).toEqual([2]);
	});

	it("can change what is written", async () => {
		const { manage, owner, tenantId } = await makePeople({
			databaseHooks: {
				user: { update: { before: async () => ({ data: { name: "By a hook" } }) } },
			},
		});
		const body = { tenantId, userId: owner.id, name: "Grace" };
		const answer = await manage("/tenant/user/update", { body });
		expect(answer.body.name).toBe("By a hook");
	});
});

describe("a name", () => {
	it.each(["", "   "])("is required when a user is created or updated: %j", async (name) => {
		const { manage, member, tenantId } = await makePeople();
		const created = { tenantId, ...person({ name }) };
		expect((await manage("/tenant/user/create", { body: created })).status).toBe(400);
		const updated = { tenantId, userId: member.id, name };
		expect((await manage("/tenant/user/update", { body: updated })).status).toBe(400);
	});
});

describe("an email that is taken", () => {
	it.each(["create", "update"])(
		"is a 422 for those who manage, where a sign-up hides it: %s",
		async (path) => {
			const { manage, owner, member, tenantId } = await makePeople({
				emailAndPassword: { ...cheapPasswords, enabled: true, autoSignIn: false },
			});
			const changed = path === "update" ? { userId: member.id } : {};
			const hidden = { tenantId, ...changed, name: "Ada", email: owner.email };
			const answer = await manage(`/tenant/user/${path}`, { body: hidden });
			expectRefusal(answer, 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
		},
	);

	it("is the same with verified emails only", async () => {
		const { manage, makeTenant } = await makeInstance({
			emailAndPassword: { ...cheapPasswords, enabled: true, requireEmailVerification: true },
		});
		const tenantId = await makeTenant();
		const create = (email: string) =>
			manage("/tenant/user/create", { body: { tenantId, name: "Ada", email } });
		const [ada, bob] = [await create("ada@example.com"), await create("bob@example.com")];
		const body = { tenantId, userId: bob.body.id, email: ada.body.email };
		const taken = "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL";
		expectRefusal(await manage("/tenant/user/update", { body }), 422, taken);
		expectRefusal(await create("ADA@example.com"), 422, taken);
	});
});

describe("a new user", () => {
	it.each([{ tenantRole: "owner" }, { disabledAt: "2026-01-01" }, { tier: "gold" }])(
		"does not get a field that clients cannot write: %j",
		async (field) => {
			const { manage, makeTenant, db } = await makeInstance({
				user: { additionalFields: { tier: { type: "string", required: false, input: false } } },
			});
			const body = { tenantId: await makeTenant(), ...person(), ...field };
			expectRefusal(await manage("/tenant/user/create", { body }), 400, "FIELD_NOT_ALLOWED");
			expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
		},
	);

	it("needs the fields that your app requires at sign-up", async () => {
		const { manage, makeTenant } = await makeInstance({
			user: { additionalFields: { locale: { type: "string", required: true } } },
		});
		const body = { tenantId: await makeTenant(), ...person() };
		expectRefusal(await manage("/tenant/user/create", { body }), 400, "MISSING_FIELD");
		const complete = { ...body, locale: "de" };
		expect((await manage("/tenant/user/create", { body: complete })).body.locale).toBe("de");
	});

	it.each([
		{},
		{ locale: "de" },
		{ locale: "de", age: null },
		{ locale: "de", plan: "gold", nickname: " Ada ", age: 7 },
		{ locale: "de", age: "seven" },
		{ locale: "de", plan: "" },
		{ locale: "de", staff: true },
		{ locale: "de", badge: "007" },
		{ locale: "de", badge: "" },
		{ locale: "de", late: "now" },
	])("gets the additional fields that a sign-up would get: %j", async (fields) => {
		const late = z.string().refine(async () => true);
		const { manage, call, makeTenant } = await makeInstance({
			user: {
				additionalFields: {
					locale: { type: "string", required: true },
					plan: { type: "string", defaultValue: () => "free" },
					nickname: {
						type: "string",
						required: false,
						transform: { input: (value) => String(value).trim() },
					},
					age: { type: "number", required: false, validator: { input: z.number().min(1) } },
					staff: { type: "boolean", defaultValue: false, input: false },
					badge: { type: "string", required: false, input: false },
					late: { type: "string", required: false, validator: { input: late } },
					secret: { type: "string", defaultValue: "hidden", returned: false },
				},
			},
		});
		const outcome = ({ status, body }: { status: number; body: Record<string, unknown> }) => {
			const { id, tenantId, createdAt, updatedAt, ...rest } = body;
			return { status, rest };
		};
		const user = { ...person({ password: PASSWORD }), ...fields };
		const created = await manage("/tenant/user/create", {
			body: { tenantId: await makeTenant(), ...user },
		});
		const signedUp = await call("/tenant/sign-up/email", {
			body: { tenantId: await makeTenant(), ...user },
		});
		expect(outcome(created)).toEqual(
			outcome({ ...signedUp, body: signedUp.body.user ?? signedUp.body }),
		);
	});

	it("is not left half done: without the password there is no user", async () => {
		const { manage, makeTenant, db } = await makeInstance({
			databaseHooks: {
				account: {
					create: {
						before: async () => {
							throw new Error("no account");
						},
					},
				},
			},
		});
		const body = { tenantId: await makeTenant(), ...person({ password: PASSWORD }) };
		expect((await manage("/tenant/user/create", { body })).status).toBe(500);
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
		const events = await db.selectFrom("tenantAuditEvent").selectAll().execute();
		expect(events.map(({ action }) => action)).toEqual(["tenant:create"]);
	});
});

describe("disabling a user", () => {
	it.each(sessionStores)("ends all sessions %s, and those of nobody else", async (_, store) => {
		const { manage, call, signIn, member, owner, tenantId } = await makePeople(store());
		const second = await signIn(tenantId, { email: member.email });
		const body = { tenantId, userId: member.id };
		expect((await manage("/tenant/user/disable", { body })).status).toBe(200);
		for (const { cookie } of [member, second]) {
			// Without a cookie cache, which may answer until it is too old.
			const query = { disableCookieCache: "true" };
			expect((await call("/get-session", { cookie, query })).body).toBeNull();
		}
		const other = await call("/get-session", { cookie: owner.cookie });
		expect(other.body.user.id).toBe(owner.id);
	});

	it("does nothing if the storage of the sessions fails", async () => {
		const { storage, failAt } = makeFaultyStorage();
		const { manage, call, read, member, tenantId } = await makePeople({
			secondaryStorage: storage,
		});
		failAt(1);
		const body = { tenantId, userId: member.id };
		expectRefusal(await manage("/tenant/user/disable", { body }), 503, "STORAGE_UNAVAILABLE");
		expect((await read(member))?.disabledAt).toBeNull();
		expect((await call("/get-session", { cookie: member.cookie })).body.user.id).toBe(member.id);
	});

	it("does nothing if the audit event cannot be written", async () => {
		const { manage, call, read, db, member, tenantId } = await makePeople({
			secondaryStorage: makeMemoryStorage(),
		});
		await db.schema.dropTable("tenantAuditEvent").execute();
		const body = { tenantId, userId: member.id };
		expect((await manage("/tenant/user/disable", { body })).status).toBe(500);
		expect((await read(member))?.disabledAt).toBeNull();
		expect((await call("/get-session", { cookie: member.cookie })).body.user.id).toBe(member.id);
		const update = { body: { ...body, name: "Grace" } };
		expect((await manage("/tenant/user/update", update)).status).toBe(500);
		expect((await read(member))?.name).toBe("User");
		const acting = { body: { ...body, reason: "An invoice" } };
		expect((await manage("/tenant/user/impersonate", acting)).status).toBe(500);
	});
});
