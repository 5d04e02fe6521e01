import type { BetterAuthPlugin } from "better-auth";
import { describe, expect, it } from "vitest";
import { silenceErrors } from "../../support/processes/silent-errors";
import { heldPasswords } from "../../support/worlds/held-passwords";
import { makeInstance } from "../../support/worlds/instance";

const email = "ada@example.com";
const password = "correct horse battery";

silenceErrors();

describe("the password of a sign-up", () => {
	it.each(["/tenant/sign-up/email", "/sign-up/email"])(
		"is hashed at %s while the database serves others",
		async (path) => {
			const passwords = heldPasswords();
			const { emailAndPassword } = passwords;
			const { makeTenant, manage, call } = await makeInstance({ emailAndPassword });
			const tenantId = await makeTenant();
			passwords.hold();
			const signUp = call(path, {
				body: { name: "Ada", email, password, ...(path.includes("tenant") ? { tenantId } : {}) },
			});
			await passwords.untilBegun(1);
			// One connection is all that this database has.
			expect((await manage("/tenant/get", { query: { id: tenantId } })).status).toBe(200);
			passwords.endAll();
			expect((await signUp).status).toBe(200);
			expect(passwords.begun).toEqual([password]);
		},
	);

	it("is hashed once, and opens the account", async () => {
		const passwords = heldPasswords();
		const { emailAndPassword } = passwords;
		const { makeTenant, signUp, call } = await makeInstance({ emailAndPassword });
		const tenantId = await makeTenant();
		await signUp(tenantId, email, password);
		expect(passwords.begun).toEqual([password]);
		const body = { tenantId, email, password };
		expect((await call("/tenant/sign-in/email", { body })).status).toBe(200);
	});

	it("is hashed once for an address that is taken in secret, as for a new one", async () => {
		const passwords = heldPasswords({ enabled: true, autoSignIn: false });
		const { emailAndPassword } = passwords;
		const { makeTenant, signUp } = await makeInstance({ emailAndPassword });
		const tenantId = await makeTenant();
		await signUp(tenantId, email, password);
		expect((await signUp(tenantId, email, "another password")).status).toBe(200);
		expect(passwords.begun).toEqual([password, "another password"]);
	});

	it.each([
		["too short", { password: "short" }, "PASSWORD_TOO_SHORT"],
		["too long", { password: "x".repeat(129) }, "PASSWORD_TOO_LONG"],
		["of no address", { email: "ada" }, "VALIDATION_ERROR"],
		["no text", { password: 7 }, "VALIDATION_ERROR"],
	])("is not hashed when it is %s", async (_, wrong, code) => {
		const passwords = heldPasswords();
		const { emailAndPassword } = passwords;
		const { call } = await makeInstance({ emailAndPassword });
		const answer = await call("/sign-up/email", {
			body: { name: "Ada", email, password, ...wrong },
		});
		expect([answer.status, answer.body.code]).toEqual([400, code]);
		expect(passwords.begun).toEqual([]);
	});

	it("is not hashed where nobody may sign up", async () => {
		const passwords = heldPasswords({ enabled: true, disableSignUp: true });
		const { emailAndPassword } = passwords;
		const { makeTenant, signUp } = await makeInstance({ emailAndPassword });
		const { body } = await signUp(await makeTenant(), email, password);
		expect(body.code).toBe("EMAIL_PASSWORD_SIGN_UP_DISABLED");
		expect(passwords.begun).toEqual([]);
	});

	it("fails where core hashes it, after core's own checks", async () => {
		const { emailAndPassword } = heldPasswords();
		const { makeTenant, signUp, db } = await makeInstance({ emailAndPassword });
		const tenantId = await makeTenant();
		await signUp(tenantId, email, password);
		const { body } = await signUp(tenantId, email, "fails, but is not asked for");
		expect(body.code).toBe("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
		expect((await signUp(tenantId, "bea@example.com", "fails and is asked for")).status).toBe(500);
		expect(await db.selectFrom("user").selectAll().execute()).toHaveLength(1);
	});

	it.each([true, false])(
		"is seen once by a plugin that checks it (listed first: %s)",
		async (pluginsFirst) => {
			const seen: string[] = [];
			const checkPasswords = {
				id: "check-passwords",
				init: ({ password: passwords }) => ({
					context: {
						password: {
							...passwords,
							hash(given: string) {
								seen.push(given);
								return passwords.hash(given);
							},
						},
					},
				}),
			} satisfies BetterAuthPlugin;
			const { makeTenant, signUp } = await makeInstance({
				plugins: [checkPasswords],
				pluginsFirst,
			});
			expect((await signUp(await makeTenant(), email, password)).status).toBe(200);
			expect(seen).toEqual([password]);
		},
	);
});
