import { type ChangeFacts, defineTenantPlugin } from "../../call/port/tenant-plugin";
import { requireKnownOptions } from "../../known-options";
import { deleteExpired } from "../../management/users/clean-up";
import { requireCount } from "../../options";
import { signOutLinked } from "./end-links";
import {
	endTenantLinks,
	finishTenantLink,
	getTenantLinkSettings,
	listTenantLinks,
	startTenantLink,
	switchTenantLink,
	updateTenantLinkSettings,
} from "./endpoints";
import { TENANT_LINKS_ERROR_CODES } from "./error-codes";
import { LINK_EVENTS } from "./event-types";
import { LINKS_PLUGIN, type LinkSettings, type TenantLinksOptions } from "./options";
import { LINK_ROUTES } from "./routes";
import { linkTables } from "./schema";
import { LINK_MODEL, SETTING_MODEL } from "./store";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-links": { creator: typeof tenantLinks };
	}
}

/** The user does it, in their own browser. Nobody has it by a role. */
const byUser = (type: keyof typeof LINK_EVENTS) => ({
	grant: "app" as const,
	event: ({ targetId }: ChangeFacts) => ({ type, data: { userId: targetId } }),
});

const LINK_ACTIONS = {
	"link:add": byUser("link.added"),
	"link:enter": byUser("link.entered"),
	"link:leave": byUser("link.left"),
	"link:end": byUser("link.ended"),
	"link-settings:get": "owner",
	"link-settings:update": "owner",
} as const;

/** What callers may do with linked users. */
export type LinkAction = keyof typeof LINK_ACTIONS;

const LIMITED: readonly string[] = [
	LINK_ROUTES.startTenantLink.path,
	LINK_ROUTES.finishTenantLink.path,
	LINK_ROUTES.switchTenantLink.path,
	LINK_ROUTES.endTenantLinks.path,
];

/**
 * Linked users: a person who has a user in several tenants proves each of them once in a browser, sees them
 * in one list, and switches without a password. Both tenants must allow it.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantLinks()] });
 * ```
 */
export const tenantLinks = (given: TenantLinksOptions = {}) => {
	requireKnownOptions("tenantLinks", given, { days: true, schema: true });
	const days = requireCount("days", given.days ?? 30, "tenantLinks");
	const options: LinkSettings = { ...given, days };
	return defineTenantPlugin({
		id: LINKS_PLUGIN,
		schema: linkTables(given.schema),
		endpoints: {
			startTenantLink,
			finishTenantLink,
			listTenantLinks,
			switchTenantLink,
			endTenantLinks,
			getTenantLinkSettings,
			updateTenantLinkSettings,
		},
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantLinks",
			actions: LINK_ACTIONS,
			events: LINK_EVENTS,
			tables: { [LINK_MODEL]: "explicit", [SETTING_MODEL]: "explicit" },
			session: { signedOut: signOutLinked },
			cleanUp: { links: (ctx, signal) => deleteExpired(ctx, LINK_MODEL, signal) },
		},
		// Each writes rows or audit events. Nobody switches more often than every other second.
		rateLimit: [{ pathMatcher: (path) => LIMITED.includes(path), window: 60, max: 30 }],
		options,
		$ERROR_CODES: TENANT_LINKS_ERROR_CODES,
	});
};
