import { answerOf, type Wire } from "./answer";
import { client } from "./client";

export type EffectiveProvider = Wire<
	NonNullable<Awaited<ReturnType<typeof client.tenant.oauthConfig.effective>>["data"]>[number]
>;

export type OAuthConfig = Wire<
	NonNullable<Awaited<ReturnType<typeof client.tenant.oauthConfig.list>>["data"]>[number]
>;

export const listEffectiveProviders = (tenantId: string) =>
	answerOf(client.tenant.oauthConfig.effective({ query: { tenantId } }));

export const listConfigs = (tenantId: string) =>
	answerOf(client.tenant.oauthConfig.list({ query: { tenantId } }));

export type Credentials = {
	providerId: string;
	clientId: string;
	clientSecret: string;
	scopes: string[];
	redirectURI?: string;
	options?: Record<string, unknown>;
	enabled: boolean;
};

export const registerConfig = (tenantId: string, credentials: Credentials) =>
	answerOf(client.tenant.oauthConfig.register({ tenantId, ...credentials }));

export const deleteConfig = (tenantId: string, providerId: string) =>
	answerOf(client.tenant.oauthConfig.delete({ tenantId, providerId }));

/** Without the credentials, which nobody can read back to send them again. */
export const switchConfig = (tenantId: string, providerId: string, enabled: boolean) =>
	answerOf(
		client.$fetch<OAuthConfig>("/tenant/oauth-config/update", {
			method: "POST",
			body: { tenantId, providerId, enabled },
		}),
	);

/** Where a real sign-in with the provider begins. */
export async function startSignIn(
	{ id, slug }: { id: string; slug: string },
	provider: string,
): Promise<URL> {
	const { url } = await answerOf(
		client.tenant.signIn.social({
			tenantId: id,
			provider,
			callbackURL: `/t/${slug}/account`,
			errorCallbackURL: `/t/${slug}`,
			disableRedirect: true,
		}),
	);
	return new URL(url as string);
}
