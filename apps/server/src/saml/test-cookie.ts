import type { ServiceConfig } from "../settings/service-config";

/** Says which browser has started a test sign-in. Other hosts of the domain cannot set it over https. */
export function testCookieOf({ baseUrl }: Pick<ServiceConfig, "baseUrl">) {
	const secure = baseUrl.startsWith("https:");
	const name = secure ? "__Host-saml-test" : "saml-test";
	return { name, path: "/", httpOnly: true, secure, sameSite: "lax" } as const;
}
