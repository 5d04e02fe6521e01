import type { ForeignPlugin } from "./foreign-plugin";

export const passkey = {
	id: "passkey",
	signInMethod: "passkey",
	passkeys: { table: "passkey" },
	credentials: { passkey: "userId" },
	paths: {
		"/passkey/generate-authenticate-options": { signIn: "passkey" },
		"/passkey/verify-authentication": { tenantFrom: "token", signIn: "passkey", endsSignIn: true },
		"/passkey/verify-registration": { signIn: "passkey" },
	},
	impersonationPaths: ["/passkey/list-user-passkeys"],
} satisfies ForeignPlugin;
