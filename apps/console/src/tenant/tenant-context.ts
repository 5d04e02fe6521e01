import { createContext, useContext } from "react";
import { useSearchParams } from "react-router";
import type { ApiClient } from "../api/client";
import { useAuthorizationRequest } from "./authorization-request";
import type { LoginOptions } from "./queries";

export type PageLocation = {
	slug: string;
	/** For example `/t/acme`. Empty on the tenant's own host. */
	base: string;
};

/** Reads the `<meta>` tags that the server wrote. */
export function readPageLocation(): PageLocation {
	const meta = (name: string) =>
		document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
	return { slug: meta("tenant-slug"), base: meta("tenant-base") };
}

export type TenantContextValue = {
	options: LoginOptions;
	/** Names the tenant in every call. */
	client: ApiClient;
	/** The URL of one of the tenant's pages, for redirects. */
	pageUrl: (path: string) => string;
};

export const TenantContext = createContext<TenantContextValue | null>(null);

export function useTenant(): TenantContextValue {
	const value = useContext(TenantContext);
	if (!value) throw new Error("useTenant works only inside TenantGate.");
	return value;
}

/**
 * Where a user goes after signing in. An app can send users here with `?callbackURL=`, or with an
 * authorization request. The server rejects every URL that it does not trust.
 */
export function useReturnUrl() {
	const { pageUrl } = useTenant();
	const [query] = useSearchParams();
	const request = useAuthorizationRequest();
	if (request) {
		return {
			url: `${pageUrl("oauth2/authorize")}?${request.continueQuery}`,
			search: `?${request.signedQuery}`,
		};
	}
	const callbackURL = query.get("callbackURL");
	return {
		url: callbackURL ?? pageUrl("account"),
		/** For links between the pages, so that the URL is not lost. */
		search: callbackURL ? `?${new URLSearchParams({ callbackURL })}` : "",
	};
}
