import { normalizePathname } from "@better-auth/core/utils/url";
import type { BetterAuthOptions } from "better-auth";
import type { Rate } from "../settings/formats";
import type { Settings } from "../settings/settings";
import { limitedKindOf } from "./limited-paths";

type RateLimit = NonNullable<BetterAuthOptions["rateLimit"]>;

/** No client reaches it. Better Auth has no value for "no limit". */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

const orUnlimited = (rate: Rate | null): Rate => rate ?? { window: 60, max: UNLIMITED };

/**
 * The limits of the OpenID provider. The backend of an app sends the requests of all its users from one IP
 * address.
 */
export function openIdLimits({ authorize, token, introspect }: Settings["rateLimits"]) {
	return {
		authorize: orUnlimited(authorize),
		token: orUnlimited(token),
		revoke: orUnlimited(token),
		introspect: orUnlimited(introspect),
		userinfo: orUnlimited(introspect),
	};
}

/**
 * The limits that Better Auth counts: requests of an IP address to an endpoint. A request with a valid
 * key, of either kind, is not counted.
 *
 * Better Auth allows three sign-ins in ten seconds for an address, over all tenants. That is a few people
 * of one office. So these endpoints have the general limit here, and `attempt-limits.ts` counts attempts.
 */
export function addressLimits(
	rate: Rate | null,
	{ basePath, isExempt }: { basePath: string; isExempt: (headers: Headers) => Promise<boolean> },
): Pick<RateLimit, "window" | "max" | "customRules"> {
	const general = orUnlimited(rate);
	return {
		...general,
		customRules: {
			"/**": async (request, current) => {
				if (await isExempt(request.headers)) return false;
				const path = normalizePathname(request.url, basePath).replace(/^\/tenant(?=\/)/, "");
				// Others are rules of plugins.
				const rule = limitedKindOf(path) ? general : current;
				return rule.max === UNLIMITED ? false : rule;
			},
		},
	};
}
