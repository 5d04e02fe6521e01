import { describe, expect, it } from "vitest";
import { ORIGIN } from "../../support/worlds/instance";
import { password, type Stage } from "./stage";

export function describeMails(stage: Stage): void {
	const { newAddress, mails } = stage;
	const takeMail = () => {
		const mail = mails.pop();
		if (!mail) throw new Error("no mail was sent");
		return mail;
	};

	/** Two tenants with a user of one address. */
	async function makeTwins() {
		const { makeTenant, signUp } = stage.instance;
		const [own, other] = [await makeTenant(), await makeTenant()];
		const email = newAddress();
		const mine = await signUp(own, email);
		const theirs = await signUp(other, email);
		return { own, other, email, mine, theirs };
	}

	describe("a link in a mail", () => {
		it("resets the password of its tenant's user, once and nowhere else", async () => {
			const { call } = stage.instance;
			const { own, other, email } = await makeTwins();
			await call("/request-password-reset", { tenant: own, body: { email } });
			const { token } = takeMail();
			const reset = (newPassword: string, tenant?: string) =>
				call("/reset-password", { body: { token, newPassword }, ...(tenant ? { tenant } : {}) });
			expect((await reset("taken over", other)).body.code).toBe("INVALID_TOKEN");
			expect((await reset("a new password")).status).toBe(200);
			expect((await reset("a newer password")).body.code).toBe("INVALID_TOKEN");
			const signIn = async (tenantId: string, password: string) =>
				(await call("/tenant/sign-in/email", { body: { tenantId, email, password } })).status;
			expect(await signIn(own, "a new password")).toBe(200);
			expect(await signIn(own, password)).toBe(401);
			expect(await signIn(other, "a new password")).toBe(401);
			expect(await signIn(other, password)).toBe(200);
		});

		it("verifies the address of its tenant's user", async () => {
			const { call } = stage.instance;
			const { own, other, email, mine, theirs } = await makeTwins();
			await call("/send-verification-email", { tenant: own, body: { email } });
			const path = takeMail().url.slice(`${ORIGIN}/api/auth`.length);
			const isVerified = async (cookie: string) =>
				(await call("/get-session", { cookie })).body.user.emailVerified;
			await call(path, { tenant: other });
			expect([await isVerified(mine.cookie), await isVerified(theirs.cookie)]).toEqual([
				false,
				false,
			]);
			await call(path);
			expect([await isVerified(mine.cookie), await isVerified(theirs.cookie)]).toEqual([
				true,
				false,
			]);
		});
	});
}
