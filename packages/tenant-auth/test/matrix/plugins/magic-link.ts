import { magicLink } from "better-auth/plugins";
import { aboutA, failed, mailsA, mailsB, type PluginMatrix } from "./matrix";

export const magicLinkMatrix: PluginMatrix<{ link: string }> = {
	plugin: "magic-link",
	options: ({ send }) => ({ plugins: [magicLink({ sendMagicLink: send })] }),
	async make({ to, last }, { email }) {
		await to("/sign-in/magic-link", { body: { email } });
		return { link: String(last().token) };
	},
	rows: {
		signInMagicLink: [
			{
				tries: "asks for a link to an address that A has too",
				call: ({ a }) => ({
					path: "/sign-in/magic-link",
					body: { email: a.email, tenantId: a.tenantId, metadata: { userId: a.userId } },
				}),
				by: "anyone",
				gets: mailsB,
				own: mailsA,
			},
		],
		magicLinkVerify: [
			{
				tries: "clicks on A's link",
				call: ({ a }) => ({ path: "/magic-link/verify", query: { token: a.link } }),
				by: "holder",
				gets: failed("INVALID_TOKEN"),
				own: aboutA,
			},
		],
	},
};
