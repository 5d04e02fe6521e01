import { createHash } from "node:crypto";
import { haveIBeenPwned } from "better-auth/plugins";
import { listenAs } from "../../support/providers/identity-provider/listen";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { answers, type PluginMatrix, refused } from "./matrix";

const BREACHED = "a password that everybody knows";
const digest = createHash("sha1").update(BREACHED).digest("hex").toUpperCase();

/** The plugin has no endpoint: it looks at the passwords that core is given. */
export const haveIBeenPwnedMatrix: PluginMatrix<{ reset: string }> = {
	plugin: "haveibeenpwned",
	async options({ send, onEnd }) {
		const service = await listenAs(["api.pwnedpasswords.com"], ({ url }, response) => {
			response.end(url?.endsWith(digest.slice(0, 5)) ? `${digest.slice(5)}:42\r\n` : "");
		});
		onEnd(service.close);
		return {
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			plugins: [haveIBeenPwned()],
		};
	},
	async make({ to, last }, { email }) {
		await to("/request-password-reset", { body: { email } });
		return { reset: String(last().token) };
	},
	rows: {},
	core: {
		changePassword: [
			{
				tries: "knows A's password",
				call: ({ a }) => ({
					path: "/change-password",
					body: { currentPassword: a.password, newPassword: "one that nobody knows" },
				}),
				by: "user",
				gets: refused(400, "INVALID_PASSWORD"),
				own: answers(),
			},
		],
		resetPassword: [
			{
				tries: "has A's token",
				call: ({ a }) => ({
					path: "/reset-password",
					body: { token: a.reset, newPassword: "one that nobody knows" },
				}),
				by: "holder",
				gets: refused(400, "INVALID_TOKEN"),
				own: answers(() => ({ status: true })),
			},
			{
				tries: "has A's token, and wants a password that everybody knows",
				call: ({ a }) => ({
					path: "/reset-password",
					body: { token: a.reset, newPassword: BREACHED },
				}),
				by: "holder",
				gets: refused(400, "INVALID_TOKEN"),
				own: refused(400, "PASSWORD_COMPROMISED"),
			},
		],
	},
};
