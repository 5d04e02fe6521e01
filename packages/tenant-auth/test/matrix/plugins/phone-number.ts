import { phoneNumber } from "better-auth/plugins";
import { aboutA, answers, mailsA, mailsB, type PluginMatrix, refused } from "./matrix";

const number = "+15550100";

export const phoneNumberMatrix: PluginMatrix<{ code: string; reset: string }> = {
	plugin: "phone-number",
	options: ({ send }) => ({
		plugins: [phoneNumber({ otpLength: 12, sendOTP: send, sendPasswordResetOTP: send })],
	}),
	async make({ to, as, last }) {
		const send = async (path: string) => {
			await to(`/phone-number/${path}`, { body: { phoneNumber: number } });
			return String(last().code);
		};
		const body = { phoneNumber: number, code: await send("send-otp"), updatePhoneNumber: true };
		await as("/phone-number/verify", { body });
		return { code: await send("send-otp"), reset: await send("request-password-reset") };
	},
	rows: {
		signInPhoneNumber: [
			{
				tries: "signs in with A's password",
				call: ({ a }) => ({
					path: "/sign-in/phone-number",
					body: { phoneNumber: number, password: a.password },
				}),
				by: "anyone",
				gets: refused(401, "INVALID_PHONE_NUMBER_OR_PASSWORD"),
				own: aboutA,
			},
		],
		sendPhoneNumberOTP: [
			{
				tries: "asks for a code to a number that A has too",
				call: () => ({ path: "/phone-number/send-otp", body: { phoneNumber: number } }),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		consumePhoneNumberOTP: [
			{
				tries: "spends A's code",
				call: ({ a }) => ({
					path: "consumePhoneNumberOTP",
					body: { phoneNumber: number, code: a.code },
					onServer: true,
				}),
				by: "anyone",
				gets: refused(400, "INVALID_OTP"),
				own: answers(),
			},
		],
		verifyPhoneNumber: [
			{
				tries: "signs in with A's code",
				call: ({ a }) => ({
					path: "/phone-number/verify",
					body: { phoneNumber: number, code: a.code },
				}),
				by: "anyone",
				gets: refused(400, "INVALID_OTP"),
				own: aboutA,
			},
		],
		requestPasswordResetPhoneNumber: [
			{
				tries: "asks for a code to a number that A has too",
				call: () => ({
					path: "/phone-number/request-password-reset",
					body: { phoneNumber: number },
				}),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		resetPasswordPhoneNumber: [
			{
				tries: "sets a password with A's code",
				call: ({ a }) => ({
					path: "/phone-number/reset-password",
					body: { phoneNumber: number, otp: a.reset, newPassword: "taken over by b" },
				}),
				by: "anyone",
				gets: refused(400, "INVALID_OTP"),
				own: answers(),
			},
		],
	},
};
