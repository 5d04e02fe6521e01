import type { ForeignPlugin } from "./foreign-plugin";

export const electron: ForeignPlugin = {
	id: "electron",
	paths: {
		"/electron/init-oauth-proxy": { tenantInQuery: true, forwardsHeaders: true },
		"/electron/token": { tenantFrom: "token", signIn: "continued" },
	},
};
