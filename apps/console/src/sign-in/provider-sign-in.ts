import { callApi } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useReturnUrl, useTenant } from "./tenant-context";

/** In a list of providers: the SAML identity provider of the tenant. */
export const SAML = "saml";

/** The server sends the browser on to the identity provider of the company. */
export function useSamlUrl(): string {
	const { pageUrl } = useTenant();
	const { url } = useReturnUrl();
	return `${pageUrl("saml/sign-in")}?${new URLSearchParams({ callbackURL: url })}`;
}

type Start = { provider: string; loginHint?: string };

/** Starts a sign-in at a provider. `started` is the one that the browser is about to open. */
export function useProviderSignIn() {
	const { client } = useTenant();
	const { url, pageUrl } = useReturnUrl();
	const samlUrl = useSamlUrl();
	// The client opens the URL of the response.
	const start = useApiMutation({
		mutationFn: async ({ provider, loginHint }: Start): Promise<unknown> => {
			if (provider === SAML) return window.location.assign(samlUrl);
			return callApi(
				client.tenant.signIn.social({
					provider,
					callbackURL: url,
					errorCallbackURL: pageUrl("error"),
					...(loginHint ? { loginHint } : {}),
				}),
			);
		},
	});
	const isStarted = start.isPending || start.isSuccess;
	return {
		error: start.error,
		started: isStarted ? (start.variables?.provider ?? null) : null,
		start: (provider: string, loginHint?: string) =>
			start.mutate(loginHint ? { provider, loginHint } : { provider }),
	};
}
