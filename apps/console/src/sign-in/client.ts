import { passkeyClient } from "@better-auth/passkey/client";
import { createAuthClient } from "better-auth/client";
import { magicLinkClient, twoFactorClient } from "better-auth/client/plugins";
import { tenantAuthClient, tenantInvitationsClient } from "better-auth-tenant/client";
import { callApi, fetchNow, parseJson } from "../api/client";

/** The client of a tenant's pages: it names the tenant in every call, and opens the URL of a response. */
export const createTenantClient = (tenant: string) =>
	createAuthClient({
		plugins: [
			tenantAuthClient({ tenant }),
			tenantInvitationsClient(),
			twoFactorClient(),
			magicLinkClient(),
			passkeyClient(),
		],
		fetchOptions: { jsonParser: parseJson, customFetchImpl: fetchNow },
	});

export type TenantClient = ReturnType<typeof createTenantClient>;

/** For a passkey in place of a code, after the password. The service looks for the header in both calls. */
export const createSecondStepClient = (tenant: string) =>
	createAuthClient({
		plugins: [tenantAuthClient({ tenant }), passkeyClient()],
		fetchOptions: {
			headers: { "x-second-factor": "passkey" },
			jsonParser: parseJson,
			customFetchImpl: fetchNow,
		},
	});

/**
 * Ends the session here, and not that at the tenant's identity provider: it would keep the user on its own
 * page, because nobody has registered ours there.
 */
export const signOutHere = (client: TenantClient) =>
	callApi(client.signOut({ disableRedirect: true }));
