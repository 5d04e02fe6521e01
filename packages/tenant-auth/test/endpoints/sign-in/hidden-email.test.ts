import { describe, expect, it } from "vitest";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { type InstanceOptions, makeInstance } from "../../support/worlds/instance";

const password = "correct horse battery";

/** What differs between any two sign-ups. */
const CHANGING = new Set(["id", "createdAt", "updatedAt"]);

/** The answer's keys in their order, with every value that should not change. */
function shapeOf(user: Record<string, unknown>) {
	return Object.entries(user).map(([key, value]) => (CHANGING.has(key) ? key : [key, value]));
}

async function makeVerifying(options: InstanceOptions = {}) {
	const mails: { to: string; url: string; tenantId: unknown }[] = [];
	const instance = await makeInstance({
		...options,
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			requireEmailVerification: true,
			...options.emailAndPassword,
		},
		emailVerification: {
			sendVerificationEmail: async ({ user, url }) => {
				mails.push({ to: user.email, url, tenantId: (user as { tenantId?: unknown }).tenantId });
			},
		},
	});
	return { ...instance, mails };
}

describe("a sign-up that must verify its address", () => {
	it("answers 200 with token and session null, and sends the mail", async () => {
		const { makeTenant, call, mails } = await makeVerifying();
		const tenantId = await makeTenant();
		const { status, body, cookie } = await call("/tenant/sign-up/email", {
			body: { tenantId, name: "Ada", email: "ada@example.com", password, callbackURL: "/welcome" },
		});
		expect(status).toBe(200);
		expect(body).toMatchObject({ token: null, session: null, user: { tenantId } });
		expect(cookie).toBe("");
		expect(mails).toEqual([
			{ to: "ada@example.com", url: expect.stringContaining("/verify-email?token="), tenantId },
		]);
		expect(new URL(String(mails[0]?.url)).searchParams.get("callbackURL")).toBe("/welcome");
	});

	it("does not let the user in before", async () => {
		const { makeTenant, signUp, call } = await makeVerifying();
		const tenantId = await makeTenant();
		await signUp(tenantId, "ada@example.com");
		const { status, body, cookie } = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "ada@example.com", password },
		});
		expect([status, body.code, cookie]).toEqual([403, "EMAIL_NOT_VERIFIED", ""]);
	});

	it("is not verified because another tenant's user of that address is", async () => {
		const { makeTenant, signUp, call, db } = await makeVerifying();
		const [one, other] = [await makeTenant(), await makeTenant()];
		for (const tenantId of [one, other]) await signUp(tenantId, "ada@example.com");
		await db.updateTable("user").set({ emailVerified: 1 }).where("tenantId", "=", one).execute();
		const signIn = (tenantId: string) =>
			call("/tenant/sign-in/email", { body: { tenantId, email: "ada@example.com", password } });
		expect((await signIn(one)).status).toBe(200);
		expect((await signIn(other)).status).toBe(403);
	});

	it("sends no second mail for an address that is taken, but one in another tenant", async () => {
		const { makeTenant, signUp, mails } = await makeVerifying();
		const [one, other] = [await makeTenant(), await makeTenant()];
		await signUp(one, "ada@example.com");
		await signUp(one, "ada@example.com");
		await signUp(other, "ada@example.com");
		expect(mails.map(({ tenantId }) => tenantId)).toEqual([one, other]);
	});
});

const hidingHosts: [string, InstanceOptions][] = [
	["where addresses are verified", {}],
	[
		"where a sign-up does not sign in",
		{
			emailAndPassword: { enabled: true, requireEmailVerification: false, autoSignIn: false },
		},
	],
	[
		"where users have fields of the host's own",
		{
			user: {
				additionalFields: {
					plan: { type: "string", defaultValue: "free" },
					team: { type: "string", required: false },
					level: { type: "number", required: false, input: false },
				},
			},
		},
	],
];

describe.each(hidingHosts)("an address that is taken, %s", (_, options) => {
	const user = { name: "Ada", email: "ada@example.com", password, image: "https://example.com/a" };

	it("answers just like a new one under a tenant", async () => {
		const { makeTenant, call } = await makeVerifying(options);
		const tenantId = await makeTenant();
		const ask = () => call("/tenant/sign-up/email", { body: { ...user, tenantId } });
		const [fresh, taken] = [await ask(), await ask()];
		expect(fresh.status).toBe(200);
		expect(taken.status).toBe(fresh.status);
		expect(Object.keys(taken.body)).toEqual(Object.keys(fresh.body));
		expect(shapeOf(taken.body.user)).toEqual(shapeOf(fresh.body.user));
		expect(taken.body).toMatchObject({ token: null, session: null, user: { tenantId } });
		expect(taken.body.user.id).toHaveLength(fresh.body.user.id.length);
		expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()]);
	});

	it("answers just like a new one on the platform", async () => {
		const { call } = await makeVerifying(options);
		const ask = () => call("/sign-up/email", { body: user });
		const [fresh, taken] = [await ask(), await ask()];
		expect(fresh.status).toBe(200);
		expect(taken.status).toBe(fresh.status);
		expect(Object.keys(taken.body)).toEqual(Object.keys(fresh.body));
		expect(shapeOf(taken.body.user)).toEqual(shapeOf(fresh.body.user));
		expect(taken.body.user.tenantId).toBeNull();
	});

	it("answers just like a new one at core's path with the tenant in the header", async () => {
		const { makeTenant, call } = await makeVerifying(options);
		const tenant = await makeTenant();
		const ask = () => call("/sign-up/email", { body: user, tenant });
		const [fresh, taken] = [await ask(), await ask()];
		expect(taken.status).toBe(fresh.status);
		expect(shapeOf(taken.body.user)).toEqual(shapeOf(fresh.body.user));
		expect(taken.body.user.tenantId).toBe(tenant);
	});

	it("keeps its password", async () => {
		const { makeTenant, signUp, db } = await makeVerifying(options);
		const tenantId = await makeTenant();
		await signUp(tenantId, user.email, "the first password");
		await signUp(tenantId, user.email, "the second password");
		const accounts = await db.selectFrom("account").select("password").execute();
		expect(accounts).toEqual([{ password: "hash of the first password" }]);
	});
});

describe("a sign-up that does not sign in", () => {
	it("answers with token and session null, and the user can sign in", async () => {
		const { makeTenant, signUp, call } = await makeInstance({
			emailAndPassword: { ...cheapPasswords, enabled: true, autoSignIn: false },
		});
		const tenantId = await makeTenant();
		const { status, body, cookie } = await signUp(tenantId, "ada@example.com");
		expect(status).toBe(200);
		expect(body).toMatchObject({ token: null, session: null, user: { tenantId } });
		expect(cookie).toBe("");
		const signedIn = await call("/tenant/sign-in/email", {
			body: { tenantId, email: "ada@example.com", password },
		});
		expect(signedIn.body.session.tenantId).toBe(tenantId);
	});
});
