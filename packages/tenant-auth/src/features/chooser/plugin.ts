import { BetterAuthError } from "@better-auth/core/error";
import { defineTenantPlugin, type SocialFlowStage } from "../../call/port/tenant-plugin";
import { requireKnownOptions } from "../../known-options";
import { continueFlow } from "./callback";
import { chooseTenant, listTenantChoices } from "./choice-endpoints";
import { confirmChosenTenant, enterChosenTenant } from "./entry-endpoints";
import { TENANT_CHOOSER_ERROR_CODES } from "./error-codes";
import { CHOOSER_PLUGIN, type TenantChooserOptions } from "./options";
import { CHOOSER_ROUTES } from "./routes";
import { chooserIndexes } from "./schema";
import { startTenantChooser } from "./start-endpoint";
import { replaceProvider } from "./tenant-flow";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-chooser": { creator: typeof tenantChooser };
	}
}

/** With this type, an app can export the type of the plugin. */
const socialFlow: SocialFlowStage = {
	beforeCallback: continueFlow,
	adaptProvider: replaceProvider,
};

const limited: readonly string[] = Object.values(CHOOSER_ROUTES).map(({ path }) => path);

/**
 * One sign-in page for all tenants: the user signs in with a social provider of the app, and the tenant is
 * found afterwards. If several fit, the user chooses.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantChooser({ chooserURL: "/choose-tenant" })] });
 * ```
 */
export const tenantChooser = (options: TenantChooserOptions) => {
	requireKnownOptions("tenantChooser", options, { chooserURL: true });
	if (typeof options.chooserURL !== "string" || !URL.canParse(options.chooserURL, "http://app")) {
		throw new BetterAuthError(
			"tenantChooser: chooserURL must be the path or the URL of the page where users choose",
		);
	}
	return defineTenantPlugin({
		id: CHOOSER_PLUGIN,
		schema: chooserIndexes(),
		endpoints: {
			startTenantChooser,
			listTenantChoices,
			chooseTenant,
			enterChosenTenant,
			confirmChosenTenant,
		},
		tenant: {
			requires: ["tenant-auth"],
			socialFlow,
		},
		// Stricter than Better Auth's default: nobody signs in that often.
		rateLimit: [{ pathMatcher: (path) => limited.includes(path), window: 60, max: 20 }],
		options,
		$ERROR_CODES: TENANT_CHOOSER_ERROR_CODES,
	});
};
