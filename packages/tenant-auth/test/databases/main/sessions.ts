import { describe, expect, it } from "vitest";
import { password, type Stage } from "./stage";

export function describeSessions(stage: Stage): void {
	const { newAddress } = stage;

	const sessionOf = async (cookie: string, tenant?: string) =>
		(await stage.instance.call("/get-session", { cookie, ...(tenant ? { tenant } : {}) })).body;

	describe("a session", () => {
		it("counts in its own tenant only, and being refused in another does not end it", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const [own, other] = [await makeTenant(), await makeTenant()];
			const { cookie } = await signUp(own, newAddress());
			expect((await sessionOf(cookie)).session.tenantId).toBe(own);
			expect((await sessionOf(cookie, own)).session.tenantId).toBe(own);
			expect(await sessionOf(cookie, other)).toBeNull();
			await call("/sign-out", { body: {}, cookie, tenant: other });
			expect((await sessionOf(cookie)).session.tenantId).toBe(own);
			await call("/sign-out", { body: {}, cookie });
			expect(await sessionOf(cookie)).toBeNull();
		});

		it("is listed and revoked by its user, and others' stay", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const [own, other] = [await makeTenant(), await makeTenant()];
			const email = newAddress();
			const first = await signUp(own, email);
			const theirs = await signUp(other, email);
			const body = { tenantId: own, email, password };
			const second = await call("/tenant/sign-in/email", { body });
			const third = await call("/tenant/sign-in/email", { body });
			const { cookie } = first;
			expect((await call("/list-sessions", { cookie })).body).toHaveLength(3);

			const revoke = (path: string, body: object) => call(path, { body, cookie });
			await revoke("/revoke-session", { token: theirs.body.token });
			expect((await sessionOf(theirs.cookie)).session.tenantId).toBe(other);
			await revoke("/revoke-session", { token: second.body.token });
			expect(await sessionOf(second.cookie)).toBeNull();
			expect((await sessionOf(third.cookie)).session.tenantId).toBe(own);
			await revoke("/revoke-other-sessions", {});
			expect(await sessionOf(third.cookie)).toBeNull();
			expect((await sessionOf(cookie)).session.tenantId).toBe(own);
			await revoke("/revoke-sessions", {});
			expect(await sessionOf(cookie)).toBeNull();
			expect((await sessionOf(theirs.cookie)).session.tenantId).toBe(other);
		});

		it("goes with a changed password where the user asks for it", async () => {
			const { makeTenant, signUp, call } = stage.instance;
			const tenantId = await makeTenant();
			const email = newAddress();
			const { cookie } = await signUp(tenantId, email);
			const signIn = (password: string) =>
				call("/tenant/sign-in/email", { body: { tenantId, email, password } });
			const elsewhere = await signIn(password);
			const changed = await call("/change-password", {
				cookie,
				body: {
					currentPassword: password,
					newPassword: "another password",
					revokeOtherSessions: true,
				},
			});
			expect(changed.status).toBe(200);
			expect(await sessionOf(elsewhere.cookie)).toBeNull();
			expect((await sessionOf(changed.cookie)).session.tenantId).toBe(tenantId);
			expect((await signIn(password)).status).toBe(401);
			expect((await signIn("another password")).status).toBe(200);
		});
	});
}
