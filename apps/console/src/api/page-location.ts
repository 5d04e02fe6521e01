import type { LoginOptions } from "./login-options";

/** What a page shows of a tenant that nobody can sign in to. */
export type SuspendedTenant = { name: string; branding: LoginOptions["branding"] };

/** What a form asks for, so that no bot can send it. */
export type CaptchaSettings = {
	provider: "turnstile" | "hcaptcha" | "recaptcha";
	siteKey: string;
};

export type PageLocation = {
	slug: string;
	/** For example `/t/acme`. Empty on the tenant's own host. */
	base: string;
	/** The `callbackURL` of the page's URL, if the server trusts it. */
	callbackUrl: string | null;
	/** Whether the page's URL has a `callbackURL` that the server does not trust. */
	hasUntrustedTarget: boolean;
	suspended: SuspendedTenant | null;
	/** Whether the tenant's administrators have pages at `admin`. */
	hasAdminPages: boolean;
	/** Whether users can sign in at the identity provider of their company, at `saml/sign-in`. */
	hasSaml: boolean;
	captcha: CaptchaSettings | null;
	/** Whether users can get the code of a second step by email. */
	hasEmailCodes: boolean;
};

/** Reads the `<meta>` tags that the server wrote. */
export function readPageLocation(): PageLocation {
	const meta = (name: string) =>
		document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
	const target = new URLSearchParams(window.location.search).get("callbackURL");
	const isTrusted = Boolean(target) && target === meta("callback-url");
	const suspended = meta("suspended-tenant");
	const captcha = meta("captcha");
	return {
		slug: meta("tenant-slug"),
		base: meta("tenant-base"),
		callbackUrl: isTrusted ? target : null,
		hasUntrustedTarget: Boolean(target) && !isTrusted,
		suspended: suspended ? (JSON.parse(suspended) as SuspendedTenant) : null,
		hasAdminPages: meta("admin-pages") !== "",
		hasSaml: meta("saml") !== "",
		hasEmailCodes: meta("email-codes") !== "",
		captcha: captcha ? (JSON.parse(captcha) as CaptchaSettings) : null,
	};
}
