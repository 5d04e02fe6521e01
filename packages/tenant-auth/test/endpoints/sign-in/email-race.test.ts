import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { makeInstance } from "../../support/worlds/instance";

const email = "ada@example.com";
const racers = Array.from({ length: 12 }, (_, n) => `password number ${n}`);

/** Both racers have looked before either writes: only the index can tell them apart. */
function meetAtHash(expected: number) {
	let arrived = 0;
	let open = () => {};
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	return async (password: string) => {
		arrived += 1;
		if (arrived >= expected) open();
		await Promise.race([gate, new Promise((resolve) => setTimeout(resolve, 50))]);
		return `hash of ${password}`;
	};
}

const passwords = (rest: object = {}) => ({
	emailAndPassword: {
		...cheapPasswords,
		enabled: true,
		password: { ...cheapPasswords?.password, hash: meetAtHash(racers.length) },
		...rest,
	},
	// The queue hashes a few at once, and before anybody looks.
	tenants: { passwordQueue: false as const },
});

describe("two sign-ups race", () => {
	it("and make one user: the losers hear that the address is taken", async () => {
		const { makeTenant, signUp, db } = await makeInstance(passwords());
		const tenantId = await makeTenant();
		const answers = await Promise.all(racers.map((it) => signUp(tenantId, email, it)));
		const won = answers.filter(({ status }) => status === 200);
		const lost = answers.filter(({ status }) => status !== 200);
		expect(won).toHaveLength(1);
		for (const { status, body, cookie } of notEmpty(lost)) {
			expect([status, body.code]).toEqual([422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"]);
			expect(cookie).toBe("");
		}
		for (const table of ["user", "account", "session"]) {
			expect(await db.selectFrom(table).selectAll().execute()).toHaveLength(1);
		}
	});

	it("without transactions, and still make one user", async () => {
		const { makeTenant, signUp, db } = await makeInstance({
			...passwords(),
			transactions: false,
		});
		const tenantId = await makeTenant();
		const answers = await Promise.all(racers.map((it) => signUp(tenantId, email, it)));
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 422)).toHaveLength(racers.length - 1);
		expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(1);
	});

	it("where addresses are verified: all answer alike, and one mail is sent", async () => {
		const mails: string[] = [];
		const { makeTenant, signUp, db } = await makeInstance({
			...passwords({ requireEmailVerification: true }),
			transactions: false,
			emailVerification: {
				sendVerificationEmail: async ({ user }) => {
					mails.push(user.email);
				},
			},
		});
		const tenantId = await makeTenant();
		const answers = await Promise.all(racers.map((it) => signUp(tenantId, email, it)));
		for (const { status, body } of notEmpty(answers)) {
			expect(status).toBe(200);
			expect(body).toMatchObject({ token: null, session: null, user: { email, tenantId } });
			expect(Object.keys(body.user)).toEqual(Object.keys(answers[0]?.body.user));
		}
		expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(1);
		expect(mails).toEqual([email]);
	});

	it("in two tenants at once, and each makes its own", async () => {
		const { makeTenant, signUp, db } = await makeInstance(passwords());
		const tenants = [await makeTenant(), await makeTenant()];
		const answers = await Promise.all(
			racers.map((it, n) => signUp(String(tenants[n % 2]), email, it)),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
		const rows = await db.selectFrom("user").select("tenantId").execute();
		expect(rows.map(({ tenantId }) => tenantId).sort()).toEqual([...tenants].sort());
	});

	it("on the platform, and make one user", async () => {
		const { call, db } = await makeInstance(passwords());
		const answers = await Promise.all(
			racers.map((password) => call("/sign-up/email", { body: { name: "Ada", email, password } })),
		);
		expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
		expect(answers.filter(({ status }) => status === 422)).toHaveLength(racers.length - 1);
		expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(1);
	});
});
