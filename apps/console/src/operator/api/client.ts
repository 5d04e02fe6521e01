import { createAuthClient } from "better-auth/client";
import { tenantAuthClient } from "better-auth-tenant/client";
import { findManagementKey } from "../session/management-key";

/** The service's endpoints, called with the operator's key or else with the browser's session. */
export const client = createAuthClient({
	plugins: [tenantAuthClient()],
	// Answers are shown; none of them sends the operator's page elsewhere.
	disableDefaultFetchPlugins: true,
	fetchOptions: {
		auth: { type: "Bearer", token: () => findManagementKey() ?? undefined },
		// Better Auth's own parser makes dates of texts that look like one, also in metadata.
		jsonParser: (text) => (text ? JSON.parse(text) : null),
	},
});
