import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { makeTwoTenants } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

async function setUp(options: InstanceOptions = {}) {
	const app = await makeTwoTenants({
		...options,
		user: {
			additionalFields: {
				plan: { type: "string", required: false },
				staff: { type: "boolean", defaultValue: false, input: false },
				badge: { type: "string", required: false, unique: true },
			},
		},
		session: {
			...options.session,
			additionalFields: { theme: { type: "string", required: false } },
		},
	});
	const join = (tenantId: string, fields: object, email = EMAIL) =>
		app.call("/tenant/sign-up/email", {
			body: { tenantId, name: "User", email, password: PASSWORD, ...fields },
		});
	return { ...app, join };
}

const stores: [string, () => InstanceOptions][] = [
	["in the database", () => ({})],
	["in secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	["in a cookie cache", () => ({ session: { cookieCache: { enabled: true, maxAge: 300 } } })],
];

describe.each(stores)("additional fields, with sessions %s,", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("differ between users of two tenants with the same email", async () => {
		const { call, a, b, join, sessionOf } = world();
		const [ada, bob] = [await join(a, { plan: "gold" }), await join(b, { plan: "iron" })];
		expect([ada.body.user.plan, bob.body.user.plan]).toEqual(["gold", "iron"]);
		const updated = await call("/update-user", { cookie: ada.cookie, body: { plan: "silver" } });
		expect(updated.status).toBe(200);
		const cookie = updated.cookie || ada.cookie;
		expect((await sessionOf(cookie)).user.plan).toBe("silver");
		expect((await sessionOf(bob.cookie)).user.plan).toBe("iron");
	});

	it("with input: false cannot be set at a sign-up in a tenant", async () => {
		const { a, join } = world();
		const { status, body } = await join(a, { staff: true });
		if (status === 200) expect(body.user.staff).toBe(false);
		else expect(body.code).toBe("FIELD_NOT_ALLOWED");
	});

	it("that are unique are unique per tenant", async () => {
		const { a, b, join, sessionOf } = world();
		const [ada, bob] = [await join(a, { badge: "007" }), await join(b, { badge: "007" })];
		expect([ada.body.user.badge, bob.body.user.badge]).toEqual(["007", "007"]);
		expect((await sessionOf(bob.cookie)).user.badge).toBe("007");
		const again = await join(a, { badge: "007" }, "other@example.com");
		expect(again.status).toBeGreaterThanOrEqual(400);
	});

	it("of a session are changed in its own tenant only", async () => {
		const { call, a, b, join, sessionOf } = world();
		const [ada, bob] = [await join(a, {}), await join(b, {})];
		const change = (tenant: string) =>
			call("/update-session", { tenant, cookie: ada.cookie, body: { theme: "dark" } });
		expect((await change(b)).status).toBe(401);
		const changed = await change(a);
		expect(changed.status).toBe(200);
		expect((await sessionOf(changed.cookie || ada.cookie)).session.theme).toBe("dark");
		expect((await sessionOf(bob.cookie)).session.theme ?? null).toBeNull();
	});
});
