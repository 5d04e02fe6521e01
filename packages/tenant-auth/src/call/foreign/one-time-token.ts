import type { ForeignPlugin } from "./foreign-plugin";

export const oneTimeToken: ForeignPlugin = {
	id: "one-time-token",
	makesNoTokens: true,
	paths: {
		"/one-time-token/verify": {
			tenantFrom: "token",
			signIn: "continued",
			endsSignIn: "one-time-token",
		},
	},
};
