import type { ForeignPlugin } from "./foreign-plugin";

export const oneTap: ForeignPlugin = {
	id: "one-tap",
	paths: {
		// It uses the app's Google client.
		"/one-tap/callback": { providerId: "google", signIn: "social", endsSignIn: true },
	},
};
