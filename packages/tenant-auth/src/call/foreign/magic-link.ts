import type { ForeignPlugin } from "./foreign-plugin";

export const magicLink: ForeignPlugin = {
	id: "magic-link",
	signInMethod: "magic-link",
	paths: {
		"/sign-in/magic-link": { signIn: "magic-link", mailsLink: true },
		"/magic-link/verify": { tenantFrom: "token", signIn: "magic-link", endsSignIn: true },
	},
};
