import type { BetterAuthPlugin } from "better-auth";
import { accountEndpoints } from "./account-endpoints";
import { confirmEndpoint } from "./confirm-endpoint";
import { keyEndpoints } from "./key-endpoints";
import { type OperatorEndpointsConfig, operatorEndpoints } from "./operator-endpoints";
import {
	closedAccountPaths,
	closedPaths,
	closedTables,
	closedTrustedDevices,
} from "./platform-sign-up";
import { operatorsSchema } from "./schema";
import { sessionEndpoints } from "./session-endpoints";

/** As for a sign-in: three requests in ten seconds per IP address. */
const SIGN_IN_LIMIT = { window: 10, max: 3 };

/**
 * Operators of the service and their keys. Operators are users of no tenant. It must come after
 * `tenantAuth()`, because its hooks need to know the tenant of the request.
 */
export const operators = (config: OperatorEndpointsConfig) =>
	({
		id: "operators",
		schema: operatorsSchema,
		init: () => ({ options: { databaseHooks: closedTables } }),
		hooks: { before: [closedPaths, closedAccountPaths, closedTrustedDevices] },
		endpoints: {
			...sessionEndpoints(config.access),
			...confirmEndpoint(config.access),
			...operatorEndpoints(config),
			...accountEndpoints(config),
			...keyEndpoints(config.access),
		},
		rateLimit: [{ pathMatcher: (path) => path === "/operator/session/open", ...SIGN_IN_LIMIT }],
	}) satisfies BetterAuthPlugin;
