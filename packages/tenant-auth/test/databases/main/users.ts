import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { makeInstance } from "../../support/worlds/instance";
import { atOnce, countOf, type Lack, password, RACERS, type Stage } from "./stage";

export function describeUsers(stage: Stage, lacks: readonly Lack[]): void {
	const { newAddress } = stage;
	const rowsOf = (table: string, tenantId: string) => stage.rows.find(table, "tenantId", tenantId);

	/** Databases repeat it in the error, where it must not pass for the name of a column. */
	const newTrickyAddress = () => `username.${newAddress()}`;

	describe("users", () => {
		it("with one address in two tenants are two, with a password each", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const [one, other] = [await makeTenant(), await makeTenant()];
			const email = newAddress();
			const first = await signUp(one, email, "password of one");
			const second = await signUp(other, email, "password of other");
			expect([first.status, second.status]).toEqual([200, 200]);
			expect(first.body.user.id).not.toBe(second.body.user.id);
			const signIn = (tenantId: string, password: string) =>
				call("/tenant/sign-in/email", { body: { tenantId, email, password } });
			expect((await signIn(one, "password of other")).status).toBe(401);
			expect((await signIn(one, "password of one")).body).toMatchObject({
				user: { id: first.body.user.id, tenantId: one },
				session: { tenantId: one },
			});
			const atPlatform = await call("/sign-in/email", {
				body: { email, password: "password of one" },
			});
			expect(atPlatform.status).toBe(401);
		});

		it("are refused a second time, however the address is written", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const tenantId = await makeTenant();
			const email = newAddress();
			await signUp(tenantId, email);
			const again = await signUp(tenantId, email.toUpperCase());
			expect([again.status, again.body.code]).toEqual([
				422,
				"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			]);
			const body = { tenantId, email: email.toUpperCase(), password };
			expect((await call("/tenant/sign-in/email", { body })).body.user.email).toBe(email);
		});

		it.skipIf(lacks.includes("unique indexes"))("are one after a race of sign-ups", async () => {
			const { makeTenant, signUp } = stage.instance;
			const tenantId = await makeTenant();
			const email = newTrickyAddress();
			const answers = await atOnce(() => signUp(tenantId, email));
			expect(countOf(answers, 200)).toBe(1);
			expect(countOf(answers, 422)).toBe(RACERS - 1);
			for (const { status, body } of notEmpty(answers)) {
				if (status === 422) expect(body.code).toBe("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
			}
			for (const table of ["user", "account"]) {
				expect(await rowsOf(table, tenantId)).toHaveLength(1);
			}
		});

		it.skipIf(lacks.includes("unique indexes"))(
			"are one after a race of sign-ups where addresses are verified, and all hear the same",
			async () => {
				const mails: string[] = [];
				const { emailAndPassword } = stage.instance.options;
				const { makeTenant, signUp } = await makeInstance({
					...stage.options(),
					emailAndPassword: { ...emailAndPassword, enabled: true, requireEmailVerification: true },
					emailVerification: {
						sendVerificationEmail: async ({ user }) => {
							mails.push(user.email);
						},
					},
				});
				const tenantId = await makeTenant();
				const email = newTrickyAddress();
				const answers = await atOnce(() => signUp(tenantId, email));
				for (const { status, body } of notEmpty(answers)) {
					expect(status).toBe(200);
					expect(body).toMatchObject({ token: null, session: null, user: { email, tenantId } });
				}
				expect(mails).toEqual([email]);
				expect(await rowsOf("user", tenantId)).toHaveLength(1);
			},
		);

		it("sign up and in together, more than there are connections", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
			const tenantOf = (n: number) => String(tenants[n % tenants.length]);
			const prefix = newAddress().split("@")[0];
			const addressOf = (n: number) => `${prefix}-${n}@example.com`;
			expect(countOf(await atOnce((n) => signUp(tenantOf(n), addressOf(n))), 200)).toBe(RACERS);
			const mixed = await atOnce((n) =>
				n % 2
					? signUp(tenantOf(n), `again-${addressOf(n)}`)
					: call("/tenant/sign-in/email", {
							body: { tenantId: tenantOf(n), email: addressOf(n), password },
						}),
			);
			expect(countOf(mixed, 200)).toBe(RACERS);
		});

		it("who are changed by their address are the tenant's, and so is what comes back", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
			const email = newAddress();
			for (const tenantId of tenants) await signUp(tenantId, email);
			for (const tenant of notEmpty(tenants)) {
				const query = {
					model: "user",
					where: [{ field: "email", value: email }],
					update: { name: `Renamed in ${tenant}` },
				};
				const { body } = await call("/hostile/query", {
					body: { access: "the adapter", method: "update", query },
					tenant,
				});
				expect(body.result).toMatchObject({ tenantId: tenant, name: `Renamed in ${tenant}` });
			}
		});

		it("may be called anything, and what no database takes is refused", async () => {
			const { makeTenant, call } = stage.instance;
			const tenantId = await makeTenant();
			const signUp = (change: object) =>
				call("/tenant/sign-up/email", {
					body: { tenantId, name: "Ada", email: newAddress(), password, ...change },
				});
			const name = "Ünïcödé 🚀 ' \" ; -- %_\\";
			const { body, cookie } = await signUp({ name });
			expect(body.user.name).toBe(name);
			expect((await call("/get-session", { cookie })).body.user.name).toBe(name);
			const odd = [
				{ name: "a\u0000b" },
				{ image: "a\u0000b" },
				{
					email: `${"x".repeat(60)}@${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(60)}.example.com`,
				},
				{ name: "n".repeat(100_000) },
			];
			for (const change of notEmpty(odd)) {
				const { status } = await signUp(change);
				expect(status, JSON.stringify(change).slice(0, 40)).toBeLessThan(500);
			}
		});
	});
}
