import { APIError } from "@better-auth/core/error";
import { socialProviders } from "@better-auth/core/social-providers";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes";

/** The built-in social providers of the installed Better Auth. */
export type BuiltInProviderId = keyof typeof socialProviders;

export const builtInProviderIds = Object.keys(socialProviders) as BuiltInProviderId[];

/** Own properties only: `constructor` and `__proto__` are no providers. */
export function requireBuiltIn(providerId: string): BuiltInProviderId {
	if (Object.hasOwn(socialProviders, providerId)) return providerId as BuiltInProviderId;
	throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.UNSUPPORTED_PROVIDER);
}
