import { describe, expect, it } from "vitest";
import { makeInstance } from "../support/worlds/instance";

const password = "correct horse battery";

const options = {
	user: {
		additionalFields: {
			plan: { type: "string", required: false },
			role: { type: "string", defaultValue: "member", input: false },
			secretNote: { type: "string", required: false, returned: false },
		},
	},
	session: { additionalFields: { device: { type: "string", required: false } } },
} as const;

async function setUp() {
	const instance = await makeInstance(options);
	const [own, other] = [await instance.makeTenant(), await instance.makeTenant()];
	const tenantsOf = async (table: string) => {
		const rows = await instance.db.selectFrom(table).select("tenantId").distinct().execute();
		return rows.map(({ tenantId }) => tenantId);
	};
	return { ...instance, own, other, tenantsOf };
}

describe("the host's additional fields", () => {
	it("come in the body of a tenant's sign-up, and go out as the host declared them", async () => {
		const { call, own, db } = await setUp();
		const user = { name: "Ada", email: "ada@example.com", password };
		const { body } = await call("/tenant/sign-up/email", {
			body: { ...user, tenantId: own, plan: "pro", secretNote: "hush" },
		});
		expect(body.user).toMatchObject({ plan: "pro", role: "member" });
		expect(body.user).not.toHaveProperty("secretNote");
		const row = await db.selectFrom("user").selectAll().executeTakeFirst();
		expect(row).toMatchObject({ plan: "pro", secretNote: "hush" });
	});

	it("that no input may set stay as they are", async () => {
		const { call, own } = await setUp();
		const { body } = await call("/tenant/sign-up/email", {
			body: { tenantId: own, name: "A", email: "a@example.com", password, role: "owner" },
		});
		expect(body.user.role).toBe("member");
	});
});

describe("tenantId set through", () => {
	it("extra sign-up fields at core's path names no tenant", async () => {
		const { call, other, tenantsOf } = await setUp();
		const { body } = await call("/sign-up/email", {
			body: { tenantId: other, name: "Ada", email: "ada@example.com", password },
		});
		expect(body.user?.tenantId ?? null).toBeNull();
		expect(await tenantsOf("user")).not.toContain(other);
		expect(await tenantsOf("session")).not.toContain(other);
	});

	it("extra sign-up fields does not overrule the header", async () => {
		const { call, own, other, tenantsOf } = await setUp();
		const { body } = await call("/sign-up/email", {
			body: { tenantId: other, name: "Ada", email: "ada@example.com", password },
			tenant: own,
		});
		expect(body.user.tenantId).toBe(own);
		for (const table of ["user", "session", "account"])
			expect(await tenantsOf(table)).toEqual([own]);
	});

	it("extra sign-up fields of any other spelling is refused", async () => {
		const { call, own, other, tenantsOf } = await setUp();
		const { status } = await call("/tenant/sign-up/email", {
			body: {
				tenantId: own,
				name: "Ada",
				email: "ada@example.com",
				password,
				tenant_id: other,
				tenantid: other,
				session: { tenantId: other },
				user: { tenantId: other },
				authority: other,
			},
		});
		expect(status).toBe(400);
		for (const table of ["user", "session", "account"]) expect(await tenantsOf(table)).toEqual([]);
	});

	it("update-user is refused", async () => {
		const { call, signUp, own, other, tenantsOf } = await setUp();
		const { cookie } = await signUp(own, "ada@example.com");
		for (const tenantId of [other, "", null]) {
			const { status } = await call("/update-user", { body: { tenantId }, cookie });
			expect(status).toBe(400);
			await call("/update-user", { body: { name: "New", tenantId }, cookie });
		}
		expect(await tenantsOf("user")).toEqual([own]);
	});

	it("update-user does not come with a change that is allowed", async () => {
		const { call, signUp, own } = await setUp();
		const { cookie } = await signUp(own, "ada@example.com");
		const { status } = await call("/update-user", { body: { name: "New", plan: "pro" }, cookie });
		expect(status).toBe(200);
		const { body } = await call("/get-session", { cookie });
		expect(body.user).toMatchObject({ name: "New", plan: "pro", tenantId: own });
	});

	it("update-session is refused", async () => {
		const { call, signUp, own, other, tenantsOf } = await setUp();
		const { cookie } = await signUp(own, "ada@example.com");
		for (const tenantId of [other, "", null]) {
			const { status } = await call("/update-session", { body: { tenantId }, cookie });
			expect(status).toBe(400);
			await call("/update-session", { body: { device: "phone", tenantId }, cookie });
		}
		expect(await tenantsOf("session")).toEqual([own]);
		const changed = await call("/update-session", { body: { device: "desk" }, cookie });
		expect(changed.body.session).toMatchObject({ device: "desk", tenantId: own });
	});
});
