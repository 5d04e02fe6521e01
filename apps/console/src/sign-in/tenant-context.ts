import { createContext, useContext } from "react";
import { useLocation } from "react-router";
import type { LoginOptions } from "../api/login-options";
import type { CaptchaSettings } from "../api/page-location";
import { useAuthorizationRequest } from "./authorization-request";
import type { TenantClient } from "./client";

export type TenantContextValue = {
	options: LoginOptions;
	/** Names the tenant in every call. */
	client: TenantClient;
	/** The URL of one of the tenant's pages, for redirects. */
	pageUrl: (path: string) => string;
	/** Where the app wants its user back. */
	callbackUrl: string | null;
	hasAdminPages: boolean;
	/** Whether users can sign in at the identity provider of their company. */
	hasSaml: boolean;
	captcha: CaptchaSettings | null;
	/** Whether users can get the code of a second step by email. */
	hasEmailCodes: boolean;
};

export const TenantContext = createContext<TenantContextValue | null>(null);

export function useTenant(): TenantContextValue {
	const value = useContext(TenantContext);
	if (!value) throw new Error("useTenant works only inside TenantGate.");
	return value;
}

/** The email of somebody who came with an invitation. */
export function useInvitedEmail(): string | null {
	const state: unknown = useLocation().state;
	const { invited }: { invited?: unknown } = Object(state);
	return typeof invited === "string" ? invited : null;
}

/** The longest email that a form takes. */
const MAX_EMAIL_LENGTH = 254;

/** The email for a form: that of an invitation, or the `login_hint` of the app. */
export function useKnownEmail(): string {
	const invited = useInvitedEmail();
	const hint = new URLSearchParams(useLocation().search).get("login_hint") ?? "";
	// An app may send a phone number or an id of its own.
	const isEmail = hint.includes("@") && hint.length <= MAX_EMAIL_LENGTH;
	return invited ?? (isEmail ? hint : "");
}

/** What a link adds to the URL of one page. Everything else belongs to the app that sent the user. */
const OWN_PARAMETERS = ["token", "error", "error_description"];

/**
 * Where a user goes after signing in. An app sends users here with `?callbackURL=`, or with the query of
 * an authorization request.
 */
export function useReturnUrl() {
	const { pageUrl, callbackUrl: ofApp, options } = useTenant();
	const location = useLocation();
	const request = useAuthorizationRequest();
	const query = new URLSearchParams(location.search);
	for (const name of OWN_PARAMETERS) query.delete(name);
	const search = query.size > 0 ? `?${query}` : "";
	const callbackUrl = request ? `${pageUrl("oauth2/authorize")}?${request.continueQuery}` : ofApp;
	// The app would find nobody signed in, so that page comes first.
	const enrollment = options.secondFactorRequired ? `${pageUrl("second-factor")}${search}` : null;
	return {
		/** Where a sign-in ends that leaves our pages. */
		url: enrollment ?? callbackUrl ?? pageUrl("account"),
		/** Where the app wants its user back. */
		callbackUrl,
		/** For links between the pages, so that nothing of the app's query is lost. */
		search,
		/** The same for a page that a link in an email or a provider leads to. */
		pageUrl: (path: string) => `${pageUrl(path)}${search}`,
	};
}
