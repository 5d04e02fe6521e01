import { username } from "better-auth/plugins";
import { runAcrossTenants, runInTenant, withoutTenantPrefix } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { expectRefusal } from "../support/http/refusal";
import { EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoTenants, orders } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const NAME = "Ada.Lovelace";

/** Both tenants have a user with that name, with different passwords. */
async function setUp(
	options: InstanceOptions = {},
	plugin: Parameters<typeof username>[0] = { usernameValidator: () => true },
) {
	const app = await makeTwoTenants({ ...options, plugins: [username(plugin)] });
	const signUpAs = (
		tenantId: string,
		name: string,
		email = EMAIL,
		password = `password of ${tenantId}`,
	) =>
		app.call("/tenant/sign-up/email", {
			body: { tenantId, name: "User", email, password, username: name },
		});
	const signInAs = (tenant: string | undefined, name: string, password: string) =>
		app.call("/sign-in/username", {
			...(tenant ? { tenant } : {}),
			body: { username: name, password },
		});
	const isAvailable = async (name: string, tenant?: string) =>
		(
			await app.call("/is-username-available", {
				...(tenant ? { tenant } : {}),
				body: { username: name },
			})
		).body.available;
	const [ada, bob] = [await signUpAs(app.a, NAME), await signUpAs(app.b, NAME)];
	return { ...app, ada, bob, signUpAs, signInAs, isAvailable };
}

const cases: [string, () => InstanceOptions][] = [
	...orders,
	["and a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
	["and no transactions", () => ({ transactions: false })],
];

describeVariations("a username, with the plugin %s,", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("may exist in two tenants, and is the same in both", async () => {
		const { ada, bob, sessionOf } = world();
		for (const user of [ada, bob]) {
			expect(user.body.user).toMatchObject({ username: "ada.lovelace", displayUsername: NAME });
			expect((await sessionOf(user.cookie)).user.username).toBe("ada.lovelace");
		}
	});

	it("signs in only with the password of its user in the tenant", async () => {
		const { a, b, ada, bob, signInAs } = world();
		expect((await signInAs(a, NAME, `password of ${a}`)).body.user.id).toBe(ada.body.user.id);
		expect((await signInAs(b, NAME, `password of ${b}`)).body.user.id).toBe(bob.body.user.id);
		for (const [tenant, owner] of [
			[a, b],
			[b, a],
			[undefined, a],
		]) {
			const answer = await signInAs(tenant, NAME, `password of ${owner}`);
			expectRefusal(answer, 401, "INVALID_USERNAME_OR_PASSWORD");
		}
	});

	it("is taken in its own tenant only", async () => {
		const { a, b, signUpAs, isAvailable } = world();
		await signUpAs(a, "only-a", "other@example.com");
		expect(await isAvailable("only-a", a)).toBe(false);
		expect(await isAvailable("ONLY-A", a)).toBe(false);
		expect(await isAvailable("only-a", b)).toBe(true);
		expect(await isAvailable("only-a")).toBe(true);
		const again = await signUpAs(a, NAME, "third@example.com");
		expectRefusal(again, 400, "USERNAME_IS_ALREADY_TAKEN");
	});

	it("may be changed to one that only another tenant has", async () => {
		const { call, a, b, ada, bob, signUpAs, signInAs } = world();
		await signUpAs(b, "charles", "other@example.com");
		const change = (cookie: string) =>
			call("/update-user", { cookie, body: { username: "Charles" } });
		expect((await change(bob.cookie)).body.code).toBe("USERNAME_IS_ALREADY_TAKEN");
		expect((await change(ada.cookie)).status).toBe(200);
		expect((await signInAs(a, "charles", `password of ${a}`)).body.user).toMatchObject({
			id: ada.body.user.id,
			username: "charles",
		});
		expect((await signInAs(b, NAME, `password of ${b}`)).body.user.id).toBe(bob.body.user.id);
	});
});

describe("usernames", () => {
	const world = useWorld(() => setUp());

	it("are unique in a tenant after several sign-ups at the same time", async () => {
		const { a, signUpAs, db } = world();
		const answers = await Promise.all(
			[1, 2, 3].map((n) => signUpAs(a, "racer", `racer-${n}@example.com`)),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.every(({ status }) => status < 500)).toBe(true);
		const users = await db
			.selectFrom("user")
			.where("email", "like", "racer-%")
			.selectAll()
			.execute();
		expect(users).toHaveLength(1);
	});

	it("are read across tenants as their users see them", async () => {
		const { auth } = world();
		const { adapter } = await auth.$context;
		const users = await runAcrossTenants(() => adapter.findMany<object>({ model: "user" }));
		expect(users).toMatchObject([{ username: "ada.lovelace" }, { username: "ada.lovelace" }]);
	});

	it("have a prefix in queries of the app, which can be removed", async () => {
		const { db, a } = await setUp();
		const rows = await db.selectFrom("user").select("username").where("tenantId", "=", a).execute();
		const stored = rows.map(({ username }) => String(username));
		expect(stored).toEqual([expect.stringMatching(/^[\da-f]{16}:ada\.lovelace$/)]);
		expect(stored.map(withoutTenantPrefix)).toEqual(["ada.lovelace"]);
	});

	it("belong to the tenant that a user is created for across tenants", async () => {
		const { auth, a, b, isAvailable } = world();
		const { adapter } = await auth.$context;
		const data = { tenantId: a, name: "User", email: "x@example.com", username: "xavier" };
		await runAcrossTenants(() => adapter.create({ model: "user", data }));
		expect([await isAvailable("xavier", a), await isAvailable("xavier", b)]).toEqual([false, true]);
	});

	it("that start like a tenant prefix stay as their users wrote them", async () => {
		const { call, db, a, ada, signUpAs, sessionOf } = world();
		const users = db.selectFrom("user").where("id", "=", ada.body.user.id).select("username");
		const prefix = String((await users.executeTakeFirst())?.username).slice(0, 17);
		const own = await signUpAs(a, `${prefix}x`, "other@example.com");
		expect((await sessionOf(own.cookie)).user.username).toBe(`${prefix}x`);
		const platform = await call("/sign-up/email", {
			body: { name: "P", email: EMAIL, password: "password of p", username: `${prefix}ada` },
		});
		expect((await sessionOf(platform.cookie)).user.username).toBe(`${prefix}ada`);
	});

	it("of a tenant cannot be used on the platform by writing the tenant prefix", async () => {
		const { db, a, ada, signInAs, isAvailable } = world();
		const row = await db
			.selectFrom("user")
			.where("id", "=", ada.body.user.id)
			.select("username")
			.executeTakeFirst();
		const stored = String(row?.username);
		expect(stored).not.toBe("ada.lovelace");
		const { status } = await signInAs(undefined, stored, `password of ${a}`);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(await isAvailable(stored)).not.toBe(false);
	});
});

describe("a username in a renamed column", () => {
	it("is reported as taken, and not the email", async () => {
		const schema = { user: { fields: { username: "login_name" } } };
		const { auth, a } = await setUp({}, { schema });
		const { adapter } = await auth.$context;
		const create = (email: string, username: string) =>
			runInTenant(auth, a, () =>
				adapter.create({
					model: "user",
					data: { name: "User", email, emailVerified: false, username },
				}),
			);
		await create("one@example.com", "one");
		await expect(create("two@example.com", "one")).rejects.toThrow(/login_name/);
		await expect(create("one@example.com", "two")).rejects.toThrow("User already exists");
	});
});

describe("a username normalization of the app", () => {
	it.each([
		[
			"letters in place of digits",
			(name: string) =>
				name.toLowerCase().replaceAll("0", "o").replaceAll("3", "e").replaceAll("4", "a"),
		],
		["letters and digits only", (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "")],
		["letters only", (name: string) => name.toLowerCase().replace(/[^a-z]/g, "")],
		["capitals", (name: string) => name.toUpperCase()],
	])("to %s keeps tenants apart and finds their users", async (_, normalize) => {
		const { a, b, ada, bob, signInAs, isAvailable, sessionOf } = await setUp(
			{},
			{ usernameValidator: () => true, usernameNormalization: normalize },
		);
		expect((await signInAs(a, NAME, `password of ${a}`)).body.user?.id).toBe(ada.body.user.id);
		expect((await signInAs(b, NAME, `password of ${b}`)).body.user?.id).toBe(bob.body.user.id);
		expect((await sessionOf(ada.cookie)).user.username).toBe(normalize(NAME));
		expect(await isAvailable(NAME, a)).toBe(false);
	});
});
