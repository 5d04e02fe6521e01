import type { ForeignPlugin } from "./foreign-plugin";

export const siwe: ForeignPlugin = {
	id: "siwe",
	signInMethod: "siwe",
	ownsAccounts: true,
	paths: {
		"/siwe/nonce": { signIn: "siwe" },
		"/siwe/verify": { signIn: "siwe", endsSignIn: true },
	},
};
