import { emailOTP } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutA, answers, mailsA, mailsB, type PluginMatrix, refused } from "./matrix";

interface Codes {
	signIn: string;
	verification: string;
	reset: string;
	change: string;
}

const newEmail = "new@example.com";
const invalid = refused(400, "INVALID_OTP");

export const emailOtpMatrix: PluginMatrix<Codes> = {
	plugin: "email-otp",
	options: ({ send }) => {
		let made = 100_000;
		// Never the same code twice, so that a code can only be right where it was sent.
		const generateOTP = () => String(++made);
		const changeEmail = { enabled: true };
		return { plugins: [emailOTP({ generateOTP, changeEmail, sendVerificationOTP: send })] };
	},
	async make({ to, as, last }, { email }) {
		const send = async (type: string) => {
			await to("/email-otp/send-verification-otp", { body: { email, type } });
			return String(last().otp);
		};
		await as("/email-otp/request-email-change", { body: { newEmail } });
		return {
			change: String(last().otp),
			signIn: await send("sign-in"),
			verification: await send("email-verification"),
			reset: await send("forget-password"),
		};
	},
	rows: {
		sendVerificationOTP: [
			{
				tries: "asks for a code to an address that A has too",
				call: ({ a }) => ({
					path: "/email-otp/send-verification-otp",
					body: { email: a.email, type: "sign-in" },
				}),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		createVerificationOTP: [
			{
				tries: "makes a code for an address that A has too",
				call: ({ a }) => ({
					path: "createVerificationOTP",
					body: { email: a.email, type: "sign-in" },
					onServer: true,
				}),
				by: "anyone",
				gets: answers(() => expect.stringMatching(/^\d{6}$/)),
				own: answers(() => expect.stringMatching(/^\d{6}$/)),
			},
		],
		getVerificationOTP: [
			{
				tries: "reads the code of an address that A has too",
				call: ({ a }) => ({
					path: "getVerificationOTP",
					query: { email: a.email, type: "sign-in" },
					onServer: true,
				}),
				by: "anyone",
				gets: answers(({ b }) => ({ otp: b.signIn })),
				own: answers(({ a }) => ({ otp: a.signIn })),
			},
		],
		checkVerificationOTP: [
			{
				tries: "asks whether A's code is right",
				call: ({ a }) => ({
					path: "/email-otp/check-verification-otp",
					body: { email: a.email, type: "email-verification", otp: a.verification },
				}),
				by: "anyone",
				gets: invalid,
				own: answers(),
			},
		],
		verifyEmailOTP: [
			{
				tries: "verifies with A's code",
				call: ({ a }) => ({
					path: "/email-otp/verify-email",
					body: { email: a.email, otp: a.verification },
				}),
				by: "anyone",
				gets: invalid,
				own: aboutA,
			},
		],
		signInEmailOTP: [
			{
				tries: "signs in with A's code",
				call: ({ a }) => ({
					path: "/sign-in/email-otp",
					body: { email: a.email, otp: a.signIn },
				}),
				by: "anyone",
				gets: invalid,
				own: aboutA,
			},
		],
		requestPasswordResetEmailOTP: [
			{
				tries: "asks for a code to an address that A has too",
				call: ({ a }) => ({
					path: "/email-otp/request-password-reset",
					body: { email: a.email },
				}),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		forgetPasswordEmailOTP: [
			{
				tries: "asks for a code to an address that A has too",
				call: ({ a }) => ({ path: "/forget-password/email-otp", body: { email: a.email } }),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		resetPasswordEmailOTP: [
			{
				tries: "sets a password with A's code",
				call: ({ a }) => ({
					path: "/email-otp/reset-password",
					body: { email: a.email, otp: a.reset, password: "taken over by b" },
				}),
				by: "anyone",
				gets: invalid,
				own: answers(() => ({ success: true })),
			},
		],
		requestEmailChangeEmailOTP: [
			{
				tries: "wants an address that A's user wants",
				call: () => ({ path: "/email-otp/request-email-change", body: { newEmail } }),
				by: "user",
				gets: mailsB,
				own: mailsA,
			},
		],
		changeEmailEmailOTP: [
			{
				tries: "takes an address with A's code",
				call: ({ a }) => ({
					path: "/email-otp/change-email",
					body: { newEmail, otp: a.change },
				}),
				by: "user",
				gets: invalid,
				own: answers(() => ({ success: true })),
			},
		],
	},
};
