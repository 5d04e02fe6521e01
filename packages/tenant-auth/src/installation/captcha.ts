import type { AuthContext } from "@better-auth/core";

/** What the captcha plugin guards when it is told no endpoints. */
const DEFAULTS = ["/sign-up/email", "/sign-in/email", "/request-password-reset"];

/**
 * Has the captcha plugin guard our endpoints where it guards core's.
 *
 * It looks at the path of the request, before any hook: a sign-in that we dispatch to core's endpoint
 * comes too late for it. The list must be complete rather than the path be shown to it twice, for a
 * solution can be verified once only.
 */
export function guardTenantEndpoints({ options }: AuthContext): void {
	const plugin = options.plugins?.find(({ id }) => id === "captcha");
	const captcha = plugin?.options as { endpoints?: string[] } | undefined;
	if (!captcha) return;
	const endpoints = captcha.endpoints?.length ? captcha.endpoints : DEFAULTS;
	captcha.endpoints = [...new Set(endpoints.flatMap((path) => [path, `/tenant${path}`]))];
}
