import { runInTenant, runOnPlatform } from "better-auth-tenant";
import { beforeEach, describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import {
	type Answer,
	EMAIL,
	type Instance,
	makeInstance,
	PASSWORD,
} from "../support/worlds/instance";

const COMMON = "password123";

describe("an app that refuses common passwords", () => {
	let app: Instance;
	let tenantId: string;
	let isCommonPassword: (password: string) => boolean;

	beforeEach(async () => {
		isCommonPassword = (password) => password === COMMON;
		app = await makeInstance({
			tenants: { isCommonPassword: (password) => isCommonPassword(password) },
		});
		tenantId = await app.makeTenant();
	});

	const users = () => app.db.selectFrom("user").selectAll().execute();
	const signUpOnPlatform = (password: string) =>
		app.call("/sign-up/email", { body: { name: "Ada", email: EMAIL, password } });

	/** Everything that sets the password of a new user. */
	const newUsers: Record<string, (password: string) => Promise<Answer>> = {
		"a sign-up in a tenant": (password) => app.signUp(tenantId, EMAIL, password),
		"a sign-up at core's path in a tenant": (password) =>
			app.call("/sign-up/email", {
				tenant: tenantId,
				body: { name: "Ada", email: EMAIL, password },
			}),
		"a sign-up on the platform": signUpOnPlatform,
		"a manager who creates a user": (password) =>
			app.manage("/tenant/user/create", {
				body: { tenantId, name: "Ada", email: EMAIL, password },
			}),
	};

	it.each(Object.entries(newUsers))("refuses one from %s", async (_, create) => {
		expectRefusal(await create(COMMON), 400, "PASSWORD_COMPROMISED");
		expect(await users()).toEqual([]);
		expect((await create(PASSWORD)).status).toBe(200);
		expect(await users()).toHaveLength(1);
	});

	it.each(["a tenant", "the platform"])(
		"refuses a change and a reset of a user of %s",
		async (where) => {
			const onPlatform = where === "the platform";
			const { body, cookie } = onPlatform
				? await signUpOnPlatform(PASSWORD)
				: await app.signUp(tenantId);
			const change = { currentPassword: PASSWORD, newPassword: COMMON };
			const changed = await app.call("/change-password", { cookie, body: change });
			expectRefusal(changed, 400, "PASSWORD_COMPROMISED");

			const { internalAdapter } = await app.auth.$context;
			const store = () =>
				internalAdapter.createVerificationValue({
					identifier: "reset-password:the-token",
					value: body.user.id,
					expiresAt: new Date(Date.now() + 60_000),
				});
			await (onPlatform ? runOnPlatform(store) : runInTenant(app.auth, tenantId, store));
			const reset = (newPassword: string) =>
				app.call("/reset-password", { body: { token: "the-token", newPassword } });
			expectRefusal(await reset(COMMON), 400, "PASSWORD_COMPROMISED");
			// The link was not used up.
			expect((await reset("another good password")).status).toBe(200);
		},
	);

	it("lets users sign in who have one", async () => {
		isCommonPassword = () => false;
		await app.signUp(tenantId, EMAIL, COMMON);
		isCommonPassword = () => true;
		expect((await app.signIn(tenantId, { password: COMMON })).status).toBe(200);
		const wrong = await app.signIn(tenantId, { password: "a wrong one" });
		expectRefusal(wrong, 401, "INVALID_EMAIL_OR_PASSWORD");
	});

	it("refuses new passwords with 503 while the check fails", async () => {
		isCommonPassword = () => {
			throw new Error("outage");
		};
		expectRefusal(await app.signUp(tenantId), 503, "PASSWORD_CHECK_UNAVAILABLE");
		expect(await users()).toEqual([]);
	});
});
