import { captcha } from "better-auth/plugins";
import { listen } from "../../support/providers/identity-provider/listen";
import { cheapPasswords } from "../../support/worlds/cheap-passwords";
import { aboutA, mailsA, mailsB, type PluginMatrix, refused } from "./matrix";

const solved = { headers: { "x-captcha-response": "solved" } };

/** The plugin has no endpoint: it guards core's. */
export const captchaMatrix: PluginMatrix<object> = {
	plugin: "captcha",
	async options({ send, onEnd }) {
		const service = await listen((_, response) => {
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify({ success: true }));
		});
		onEnd(service.close);
		const siteVerifyURLOverride = `http://127.0.0.1:${service.port}/`;
		return {
			emailAndPassword: { ...cheapPasswords, enabled: true, sendResetPassword: send },
			plugins: [captcha({ provider: "hcaptcha", secretKey: "a secret", siteVerifyURLOverride })],
		};
	},
	signUp: () => solved,
	rows: {},
	core: {
		signInEmail: [
			{
				tries: "has A's password and a solution",
				call: ({ a }) => ({
					path: "/sign-in/email",
					body: { email: a.email, password: a.password },
					...solved,
				}),
				by: "anyone",
				gets: refused(401, "INVALID_EMAIL_OR_PASSWORD"),
				own: aboutA,
			},
		],
		requestPasswordReset: [
			{
				tries: "asks for a mail to an address that A has too",
				call: ({ a }) => ({
					path: "/request-password-reset",
					body: { email: a.email },
					...solved,
				}),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
	},
};
