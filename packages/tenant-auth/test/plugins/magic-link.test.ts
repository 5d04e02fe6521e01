import { magicLink } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeTwoUsers, orders, SAME, stores } from "../support/two-tenants";

interface Mail {
	email: string;
	url: string;
	token: string;
	tenantId: string | null;
}

type Options = Partial<Parameters<typeof magicLink>[0]>;

function sending(mails: Mail[], options: Options = {}) {
	return magicLink({
		...options,
		sendMagicLink: async (mail) => {
			mails.push({ ...mail, tenantId: await getCurrentTenantId() });
		},
	});
}

async function setUp(options: InstanceOptions = {}, link: Options = {}) {
	const mails: Mail[] = [];
	const app = await makeTwoUsers({ ...options, plugins: [sending(mails, link)] });
	const request = async (tenant?: string, email = SAME) => {
		await app.call("/sign-in/magic-link", {
			...(tenant ? { tenant } : {}),
			body: { email, callbackURL: "/home" },
		});
		return mails.at(-1) as Mail;
	};
	return { ...app, mails, request };
}

const cases = [
	...orders.map(([name, order]) => [name, () => order, {}] as const),
	...stores.map(([name, store]) => [name, store, {}] as const),
	...stores.map(
		([name, store]) => [`token hashed, ${name}`, store, { storeToken: "hashed" }] as const,
	),
] as [string, () => InstanceOptions, Options][];

describe.each(cases)("a magic link, %s", (_, options, link) => {
	it("clicked with no header signs in to its own tenant", async () => {
		const { call, a, b, ada, bob, request, pathOf, sessionOf } = await setUp(options(), link);
		for (const [tenant, user] of [
			[a, ada],
			[b, bob],
		] as const) {
			const mail = await request(tenant);
			expect(mail.tenantId).toBe(tenant);
			const clicked = await call(pathOf(mail.url));
			expect(clicked.headers.get("location")).not.toContain("error");
			const { session } = await sessionOf(clicked.cookie);
			expect(session).toMatchObject({ tenantId: tenant, userId: user.body.user.id });
			const again = await call(pathOf(mail.url));
			expect(again.headers.get("location")).toContain("error=INVALID_TOKEN");
		}
	});

	it("clicked under another tenant's header does nothing, and stays good in its own", async () => {
		const { call, a, b, ada, request, pathOf, sessionOf } = await setUp(options(), link);
		const mail = await request(a);
		const elsewhere = await call(pathOf(mail.url), { tenant: b });
		expect(elsewhere.headers.get("location")).toContain("error=INVALID_TOKEN");
		expect(elsewhere.cookie).toBe("");
		const own = await call(pathOf(mail.url), { tenant: a });
		expect((await sessionOf(own.cookie)).user.id).toBe(ada.body.user.id);
	});

	it("of the platform does nothing in a tenant", async () => {
		const { call, a, request, pathOf, sessionOf } = await setUp(options(), link);
		const mail = await request();
		expect(mail.tenantId).toBeNull();
		const elsewhere = await call(pathOf(mail.url), { tenant: a });
		expect(elsewhere.headers.get("location")).toContain("error=INVALID_TOKEN");
		const own = await call(pathOf(mail.url));
		expect((await sessionOf(own.cookie)).session.tenantId).toBeNull();
	});

	it("keeps to its tenant although the browser has a session in another", async () => {
		const { call, a, ada, bob, request, pathOf, sessionOf } = await setUp(options(), link);
		const mail = await request(a);
		const clicked = await call(pathOf(mail.url), { cookie: bob.cookie });
		expect((await sessionOf(clicked.cookie)).user.id).toBe(ada.body.user.id);
		expect((await sessionOf(bob.cookie)).user.id).toBe(bob.body.user.id);
	});
});

describe("a magic link to an address without a user", () => {
	const email = "new@example.com";

	it("makes one in its own tenant alone", async () => {
		const { call, a, request, pathOf, db } = await setUp();
		await call(pathOf((await request(a, email)).url));
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});

	it("makes none where sign-up is closed, whatever another tenant has", async () => {
		const { call, signUp, a, b, request, pathOf, db } = await setUp({}, { disableSignUp: true });
		await signUp(a, email);
		const clicked = await call(pathOf((await request(b, email)).url));
		expect(clicked.headers.get("location")).toContain("error=new_user_signup_disabled");
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});
});
