import { createAuthClient } from "better-auth/client";
import { tenantAuthClient } from "better-auth-tenant/client";
import { keychain } from "./keychain.js";

export const serverUrl = process.env.SERVER_URL ?? "http://localhost:3000";

/** Each call names the tenant, and carries the token of the session. */
export const client = createAuthClient({
	baseURL: serverUrl,
	plugins: [tenantAuthClient({ tenant: () => keychain.get("tenant") })],
	fetchOptions: {
		auth: { type: "Bearer", token: () => keychain.get("token") ?? "" },
		onSuccess: ({ response }) => {
			const token = response.headers.get("set-auth-token");
			if (token) keychain.set("token", token);
		},
	},
});
