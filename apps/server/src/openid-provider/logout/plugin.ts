import { getCurrentAdapter } from "@better-auth/core/context";
import type { OAuthProviderExtension } from "@better-auth/oauth-provider";
import type { AuthContext } from "better-auth";
import { defineTenantPlugin, getCurrentTenantId } from "better-auth-tenant";
import { logoutOf } from "../applications/application";
import {
	CLIENT_SESSION,
	clientSessionSchema,
	endClientSessions,
	forgetClientSessions,
	forgetExpired,
	noteClientSession,
} from "../client-sessions/client-session";

/** Notes for which sessions an application with back-channel logout gets ID tokens. */
export const loggedOutClients: OAuthProviderExtension = {
	claims: {
		idToken: async ({ ctx, client, user, sessionId }) => {
			if (!user || !sessionId || !logoutOf(client)) return {};
			const tenantId = await getCurrentTenantId();
			const { clientId } = client;
			const named = { clientId, sessionId, userId: user.id };
			if (tenantId) await noteClientSession(ctx.context, { tenantId, ...named });
			return {};
		},
	},
};

/**
 * Hears of every session that ends. Better Auth's OAuth provider has such a hook too, but it would use the URL
 * of the service as the issuer, knows no service-wide applications, calls any address, and lets the user wait.
 * So it never gets the URI of an application, and {@link sendLogoutTokens} does the work.
 */
export const backchannelLogout = defineTenantPlugin({
	id: "tenant-auth-backchannel-logout",
	schema: clientSessionSchema,
	init: (context: AuthContext) => ({
		options: {
			databaseHooks: {
				session: {
					delete: {
						after: async ({ id, expiresAt }: { id: string; expiresAt: Date }) => {
							// The session has ended. A failure here must not say anything else.
							try {
								const database = await getCurrentAdapter(context.adapter);
								await (expiresAt <= new Date() ? forgetClientSessions : endClientSessions)(
									database,
									id,
								);
							} catch (error) {
								context.logger.error("No application is told that a session has ended", error);
							}
						},
					},
				},
			},
		},
	}),
	tenant: {
		requires: ["tenant-auth"],
		tables: { [CLIENT_SESSION]: "short-lived" },
		cleanUp: { applicationSessions: forgetExpired },
	},
});
