import { socialProviders } from "@better-auth/core/social-providers";
import { tenantError } from "../tenant-error";

/** The built-in social providers of the installed Better Auth. */
export type BuiltInProviderId = keyof typeof socialProviders;

export const builtInProviderIds = Object.keys(socialProviders) as BuiltInProviderId[];

/** Own properties only: `constructor` and `__proto__` are no providers. */
export function requireBuiltIn(providerId: string): BuiltInProviderId {
	if (Object.hasOwn(socialProviders, providerId)) return providerId as BuiltInProviderId;
	throw tenantError("UNSUPPORTED_PROVIDER");
}
