import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { PLATFORM } from "../../call/context/tenant";
import { digest } from "../../database/digest";
import { callbackPathOf } from "../../management/oauth-clients/callback-path";

/**
 * The app's own provider. No tenant is known yet, so it is looked up on the platform, where no tenant's
 * credentials are found.
 */
export async function findAppProvider(
	ctx: GenericEndpointContext,
	providerId: string,
): Promise<OAuthProvider | null> {
	const { context } = ctx;
	const provider = await runInScope(requireInstance(context), PLATFORM, async () => {
		const entry = context.socialProviders.find(({ id }) => id === providerId);
		return typeof entry === "function" ? (entry as () => Promise<OAuthProvider>)() : entry;
	});
	if (provider?.id !== providerId) return null;
	if (returnsToUs(provider)) return provider;
	context.logger.error(
		`tenantChooser: the provider ${providerId} has a redirectURI that does not end in ${callbackPathOf(providerId, "")}, so its sign-ins cannot come back here. Remove it.`,
	);
	return null;
}

/** Core prefers the option to the URI that it passes. */
function returnsToUs({ id, options }: OAuthProvider): boolean {
	const { redirectURI }: { redirectURI?: unknown } = Object(options);
	if (redirectURI === undefined) return true;
	return typeof redirectURI === "string" && redirectURI.endsWith(callbackPathOf(id, ""));
}

/** A digest of the client, to which a flow is bound. Client ids are not secret, but nobody's business. */
export const clientOf = ({ options }: OAuthProvider): Promise<string> =>
	digest(JSON.stringify(options?.clientId ?? null));

export const redirectUriAt = (baseURL: string, providerId: string): string =>
	`${baseURL}${callbackPathOf(providerId, "")}`;
