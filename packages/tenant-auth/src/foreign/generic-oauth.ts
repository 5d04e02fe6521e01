import type { ForeignPlugin } from "./foreign-plugin";

export const genericOAuth: ForeignPlugin = {
	id: "generic-oauth",
	paths: {
		"/oauth2/callback/:providerId": {
			tenantFrom: "oauth-state",
			signIn: "social",
			endsSignIn: true,
		},
	},
};
