import { twoFactor } from "better-auth/plugins";
import { expect } from "vitest";
import { totpOf } from "../../support/providers/totp";
import { aboutA, answers, mailsA, mailsB, type PluginMatrix, refused } from "./matrix";

interface Factor {
	totpURI: string;
	backupCodes: string[];
	/** What a sign-in that lacks its second step left in the browser. */
	firstStep: string;
	/** Sent for that sign-in. */
	code: string;
	/** Sent for the session. */
	codeOfSession: string;
}

const wrongPassword = refused(400, "INVALID_PASSWORD");
const noFirstStep = refused(401, "INVALID_TWO_FACTOR_COOKIE");

export const twoFactorMatrix: PluginMatrix<Factor> = {
	plugin: "two-factor",
	options: ({ send }) => ({ plugins: [twoFactor({ otpOptions: { digits: 12, sendOTP: send } })] }),
	async make({ as, to, call, last }, { email, password }) {
		const { totpURI, backupCodes } = (await as("/two-factor/enable", { body: { password } })).body;
		// The first code that is right turns it on, and makes a new session.
		const { cookie } = await as("/two-factor/verify-totp", { body: { code: totpOf(totpURI) } });
		const { id: sessionId, token } = (await call("/get-session", { cookie })).body.session;
		const { cookie: firstStep } = await to("/sign-in/email", { body: { email, password } });
		const send = async (cookie: string) => {
			await to("/two-factor/send-otp", { body: {}, cookie });
			return String(last().otp);
		};
		const codes = { code: await send(firstStep), codeOfSession: await send(cookie) };
		return { totpURI, backupCodes, cookie, sessionId, token, firstStep, ...codes };
	},
	rows: {
		generateTOTP: [
			{
				tries: "computes the code of a secret, which takes no tenant",
				call: () => ({
					path: "generateTOTP",
					body: { secret: "a secret that somebody knows" },
					onServer: true,
				}),
				by: "anyone",
				ofHost: true,
				gets: answers(() => ({ code: expect.stringMatching(/^\d{6}$/) })),
				own: answers(() => ({ code: expect.stringMatching(/^\d{6}$/) })),
			},
		],
		getTOTPURI: [
			{
				tries: "knows A's password",
				call: ({ a }) => ({ path: "/two-factor/get-totp-uri", body: { password: a.password } }),
				by: "user",
				gets: wrongPassword,
				own: answers(({ a }) => ({ totpURI: a.totpURI })),
			},
		],
		verifyTOTP: [
			{
				tries: "has A's first step and A's code",
				call: ({ a }) => ({
					path: "/two-factor/verify-totp",
					body: { code: totpOf(a.totpURI) },
					cookie: a.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_CODE"),
				otherwise: noFirstStep,
				own: aboutA,
				signedOut: true,
			},
			{
				tries: "has its own first step and A's code",
				call: ({ a, b }) => ({
					path: "/two-factor/verify-totp",
					body: { code: totpOf(a.totpURI) },
					cookie: b.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_CODE"),
				own: aboutA,
			},
		],
		sendTwoFactorOTP: [
			{
				tries: "has A's first step",
				call: ({ a }) => ({ path: "/two-factor/send-otp", body: {}, cookie: a.firstStep }),
				by: "holder",
				gets: mailsB,
				otherwise: noFirstStep,
				own: mailsA,
				signedOut: true,
			},
		],
		verifyTwoFactorOTP: [
			{
				tries: "has A's first step and A's code",
				call: ({ a }) => ({
					path: "/two-factor/verify-otp",
					body: { code: a.code },
					cookie: a.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_CODE"),
				otherwise: noFirstStep,
				own: aboutA,
				signedOut: true,
			},
			{
				tries: "has its own first step and the code of A's session",
				call: ({ a, b }) => ({
					path: "/two-factor/verify-otp",
					body: { code: a.codeOfSession },
					cookie: b.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_CODE"),
				own: aboutA,
			},
		],
		verifyBackupCode: [
			{
				tries: "has A's first step and A's code",
				call: ({ a }) => ({
					path: "/two-factor/verify-backup-code",
					body: { code: a.backupCodes[0] },
					cookie: a.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_BACKUP_CODE"),
				otherwise: noFirstStep,
				own: aboutA,
				signedOut: true,
			},
			{
				tries: "has its own first step and A's code",
				call: ({ a, b }) => ({
					path: "/two-factor/verify-backup-code",
					body: { code: a.backupCodes[0] },
					cookie: b.firstStep,
				}),
				by: "holder",
				gets: refused(401, "INVALID_BACKUP_CODE"),
				own: aboutA,
			},
		],
		generateBackupCodes: [
			{
				tries: "knows A's password",
				call: ({ a }) => ({
					path: "/two-factor/generate-backup-codes",
					body: { password: a.password },
				}),
				by: "user",
				gets: wrongPassword,
				own: answers(() => expect.objectContaining({ status: true })),
			},
		],
		viewBackupCodes: [
			{
				tries: "names A's user",
				call: ({ a }) => ({
					path: "viewBackupCodes",
					body: { userId: a.userId },
					onServer: true,
				}),
				by: "anyone",
				gets: refused(400, "BACKUP_CODES_NOT_ENABLED"),
				own: answers(({ a }) => ({ status: true, backupCodes: a.backupCodes })),
			},
		],
		enableTwoFactor: [
			{
				tries: "knows A's password",
				call: ({ a }) => ({ path: "/two-factor/enable", body: { password: a.password } }),
				by: "user",
				gets: wrongPassword,
				// Past the question for the password.
				own: refused(400, "TOTP_ALREADY_ENABLED"),
			},
		],
		disableTwoFactor: [
			{
				tries: "knows A's password",
				call: ({ a }) => ({ path: "/two-factor/disable", body: { password: a.password } }),
				by: "user",
				gets: wrongPassword,
				own: answers(() => ({ status: true })),
			},
		],
	},
};
