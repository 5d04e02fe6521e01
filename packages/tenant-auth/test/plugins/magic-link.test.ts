import { magicLink } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders, stores } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

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
	const request = async (tenant?: string, email = EMAIL) => {
		await app.call("/sign-in/magic-link", {
			...(tenant ? { tenant } : {}),
			body: { email, callbackURL: "/home" },
		});
		return mails.at(-1) as Mail;
	};
	return { ...app, mails, request };
}

const hashed: Options = { storeToken: "hashed" };

const cases: [string, () => ReturnType<typeof setUp>][] = [
	...orders.map(([name, order]): (typeof cases)[number] => [name, () => setUp(order())]),
	...stores.map(([name, store]): (typeof cases)[number] => [
		`stored ${name}`,
		() => setUp(store()),
	]),
	...stores.map(([name, store]): (typeof cases)[number] => [
		`hashed, stored ${name}`,
		() => setUp(store(), hashed),
	]),
];

describeVariations("a magic link, %s,", cases, (build, it) => {
	const world = useWorld(build);

	it("signs in to its own tenant without a header", async () => {
		const { call, a, b, ada, bob, request, pathOf, sessionOf } = world();
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

	it("is rejected with the header of another tenant, and stays valid in its own", async () => {
		const { call, a, b, ada, request, pathOf, sessionOf } = world();
		const mail = await request(a);
		const elsewhere = await call(pathOf(mail.url), { tenant: b });
		expect(elsewhere.headers.get("location")).toContain("error=INVALID_TOKEN");
		expect(elsewhere.cookie).toBe("");
		const own = await call(pathOf(mail.url), { tenant: a });
		expect((await sessionOf(own.cookie)).user.id).toBe(ada.body.user.id);
	});

	it("of the platform is rejected in a tenant", async () => {
		const { call, a, request, pathOf, sessionOf } = world();
		const mail = await request();
		expect(mail.tenantId).toBeNull();
		const elsewhere = await call(pathOf(mail.url), { tenant: a });
		expect(elsewhere.headers.get("location")).toContain("error=INVALID_TOKEN");
		const own = await call(pathOf(mail.url));
		expect((await sessionOf(own.cookie)).session.tenantId).toBeNull();
	});

	it("signs in to its own tenant in a browser with a session of another one", async () => {
		const { call, a, ada, bob, request, pathOf, sessionOf } = world();
		const mail = await request(a);
		const clicked = await call(pathOf(mail.url), { cookie: bob.cookie });
		expect((await sessionOf(clicked.cookie)).user.id).toBe(ada.body.user.id);
		expect((await sessionOf(bob.cookie)).user.id).toBe(bob.body.user.id);
	});
});

describe("a magic link to an email without a user", () => {
	const email = "new@example.com";

	it("creates a user in its own tenant only", async () => {
		const { call, a, request, pathOf, db } = await setUp();
		await call(pathOf((await request(a, email)).url));
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});

	it("creates no user if sign-up is disabled, also if another tenant has that user", async () => {
		const { call, signUp, a, b, request, pathOf, db } = await setUp({}, { disableSignUp: true });
		await signUp(a, email);
		const clicked = await call(pathOf((await request(b, email)).url));
		expect(clicked.headers.get("location")).toContain("error=new_user_signup_disabled");
		const users = db.selectFrom("user").select("tenantId").where("email", "=", email);
		expect(await users.execute()).toEqual([{ tenantId: a }]);
	});
});
