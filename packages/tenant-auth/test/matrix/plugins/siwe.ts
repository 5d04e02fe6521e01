import { siwe } from "better-auth/plugins";
import { expect } from "vitest";
import { aboutA, answers, type PluginMatrix, refused } from "./matrix";

const WALLET = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F";
const DOMAIN = "example.com";
const aNewNonce = answers(() => ({ nonce: expect.any(String) }));

/** Both sides are the user of one wallet. */
export const siweMatrix: PluginMatrix<{ nonce: string }> = {
	plugin: "siwe",
	options: () => ({
		plugins: [
			siwe({
				domain: DOMAIN,
				getNonce: async () => crypto.randomUUID().replaceAll("-", ""),
				verifyMessage: async ({ signature, message }) => signature === `signed ${message}`,
			}),
		],
	}),
	async make({ to, call }) {
		const ask = async () => (await to("/siwe/nonce", { body: {} })).body.nonce;
		const { cookie } = await to("/siwe/verify", { body: signed(await ask()) });
		const { id: sessionId, token, userId } = (await call("/get-session", { cookie })).body.session;
		return { nonce: await ask(), cookie, sessionId, token, userId };
	},
	rows: {
		getSiweNonce: [
			{
				tries: "asks for a nonce",
				call: () => ({ path: "/siwe/nonce", body: {} }),
				by: "anyone",
				gets: aNewNonce,
				own: aNewNonce,
			},
		],
		getNonce: [
			{
				tries: "asks for a nonce",
				call: () => ({ path: "/siwe/get-nonce", body: {} }),
				by: "anyone",
				gets: aNewNonce,
				own: aNewNonce,
			},
		],
		verifySiweMessage: [
			{
				tries: "signs A's nonce with the wallet that A has too",
				call: ({ a }) => ({ path: "/siwe/verify", body: signed(a.nonce) }),
				by: "anyone",
				gets: refused(401),
				own: aboutA,
			},
		],
	},
};

function signed(nonce: string) {
	const message = [
		`${DOMAIN} wants you to sign in with your Ethereum account:`,
		WALLET,
		"",
		"",
		`URI: https://${DOMAIN}`,
		"Version: 1",
		"Chain ID: 1",
		`Nonce: ${nonce}`,
		`Issued At: ${new Date().toISOString()}`,
	].join("\n");
	return { message, signature: `signed ${message}` };
}
