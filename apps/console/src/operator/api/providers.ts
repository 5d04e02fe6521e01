import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

const listEffectiveProviders = (client: ApiClient, tenantId: string) =>
	callApi(client.tenant.oauthConfig.effective({ query: { tenantId } }));

const listOAuthConfigs = (client: ApiClient, tenantId: string) =>
	callApi(client.tenant.oauthConfig.list({ query: { tenantId } }));

const testOAuthConfig = (client: ApiClient, tenantId: string, providerId: string) =>
	callApi(client.tenant.oauthConfig.test({ tenantId, providerId }));

export type EffectiveProvider = Awaited<ReturnType<typeof listEffectiveProviders>>[number];
export type OAuthConfig = Awaited<ReturnType<typeof listOAuthConfigs>>[number];
export type ConnectionTest = Awaited<ReturnType<typeof testOAuthConfig>>;

/** The key of the first two queries below. */
export const providersKey = (tenantId: string) => ["providers", tenantId];

type OAuthConfigInput = {
	clientId: string[];
	clientSecret: string;
	scopes: string[];
	redirectURI?: string;
	options?: Record<string, unknown>;
	trustEmails?: string[];
	enabled: boolean;
};

/** The console shows whatever providers the server lists. The server rejects those it does not know. */
const known = (providerId: string) => providerId as OAuthConfig["providerId"];

export const providerCalls = (client: ApiClient) => ({
	effectiveProvidersQuery: (tenantId: string) =>
		queryOptions({
			queryKey: [...providersKey(tenantId), "effective"],
			queryFn: () => listEffectiveProviders(client, tenantId),
		}),

	oauthConfigsQuery: (tenantId: string) =>
		queryOptions({
			queryKey: [...providersKey(tenantId), "oauth-configs"],
			queryFn: () => listOAuthConfigs(client, tenantId),
		}),

	registerOAuthConfig: (tenantId: string, providerId: string, input: OAuthConfigInput) =>
		callApi(
			client.tenant.oauthConfig.register({ tenantId, providerId: known(providerId), ...input }),
		),

	/** What is left out stays. */
	updateOAuthConfig: (
		tenantId: string,
		providerId: string,
		change: Partial<Omit<OAuthConfigInput, "redirectURI">> & { redirectURI?: string | null },
	) =>
		callApi(
			client.tenant.oauthConfig.update({ tenantId, providerId: known(providerId), ...change }),
		),

	deleteOAuthConfig: (tenantId: string, providerId: string) =>
		callApi(client.tenant.oauthConfig.delete({ tenantId, providerId: known(providerId) })),

	/** What the provider says about the config. It is asked each time. */
	connectionTestQuery: (tenantId: string, providerId: string) =>
		queryOptions({
			queryKey: ["connection-test", tenantId, providerId],
			queryFn: () => testOAuthConfig(client, tenantId, providerId),
			staleTime: 0,
			gcTime: 0,
			refetchOnWindowFocus: false,
			retry: false,
		}),

	/** The URL of the provider at which a real sign-in starts. */
	signInUrlQuery: ({ id, slug }: { id: string; slug: string }, provider: string) =>
		queryOptions({
			queryKey: ["sign-in-url", id, provider],
			queryFn: async () => {
				const { url } = await callApi(
					client.tenant.signIn.social({
						tenantId: id,
						provider,
						callbackURL: `/t/${slug}/account`,
						errorCallbackURL: `/t/${slug}`,
						disableRedirect: true,
					}),
				);
				return new URL(url ?? "");
			},
			// Each URL works for one sign-in.
			staleTime: 0,
			gcTime: 0,
			refetchOnWindowFocus: false,
			retry: false,
		}),
});
