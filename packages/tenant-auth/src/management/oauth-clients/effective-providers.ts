import type { AuthContext } from "@better-auth/core";
import * as z from "zod";
import { requireInstance } from "../../call/context/current-state";
import type { TenantRow } from "../../call/context/tenant";
import { policyIn } from "../../call/policy/tenant-policy";
import { date, text } from "../../described";
import { isOwnProviderId, OWN_PROVIDER_PREFIX } from "../../providers";
import { callbackPathOf } from "./callback-path";
import { readCredentials } from "./cipher";
import { type OAuthConfigRow, settingsOf } from "./config";
import { findConfigRows } from "./find-configs";

export const effectiveProviderSchema = z.object({
	providerId: text("The provider, such as google or oidc:okta"),
	name: text("The name of a provider that the tenant registered by its issuer").optional(),
	source: z
		.enum(["tenant", "global", "none"])
		.meta({ description: "Whose client a sign-in uses: the tenant's, the app's, or none" }),
	/**
	 * - `own`: the tenant has an enabled config
	 * - `disabled`: its config is disabled
	 * - `unreadable`: the credentials of its config cannot be decrypted, so nobody can sign in with it
	 * - `absent`: it has no config
	 */
	config: z
		.enum(["own", "disabled", "unreadable", "absent"])
		.meta({ description: "The state of the tenant's config" }),
	callbackURL: text("The URL to register at the provider"),
	lastFailure: z
		.object({
			at: date("When it happened"),
			code: text("Why, for example invalid_code"),
		})
		.nullable()
		.meta({ description: "The last failed sign-in since the config was registered" }),
});

/** What a tenant's sign-in with a provider would use, and why. */
export type EffectiveProvider = z.output<typeof effectiveProviderSchema>;

/**
 * All built-in providers, others that the app has, and the tenant's own ones, ordered by id. Without the
 * plugin for own ones, nobody can sign in with them, so they are left out.
 */
export async function listEffectiveProviders(
	ctx: AuthContext,
	{ id: tenantId, policy }: Pick<TenantRow, "id" | "policy">,
): Promise<EffectiveProvider[]> {
	const { fallbackToGlobal } = policyIn({ policy }).signIn;
	const rows = new Map<string, OAuthConfigRow>(
		(await findConfigRows(ctx, tenantId)).map((row) => [row.providerId, row]),
	);
	const { ownProviders } = requireInstance(ctx).features;
	const own = [...rows.keys()]
		.filter((id) => ownProviders && isOwnProviderId(id))
		.map((id) => ({ id, isGlobal: false }));
	const others = ctx.socialProviders
		.filter(({ id }) => id !== OWN_PROVIDER_PREFIX)
		.map((entry) => ({ id: entry.id, isGlobal: isOfHost(entry) }));
	const providers = [...others, ...own].sort((a, b) => a.id.localeCompare(b.id));
	return Promise.all(
		providers.map(async ({ id: providerId, isGlobal }) => {
			const row = rows.get(providerId);
			const config = row ? await stateOf(ctx, row) : "absent";
			return {
				providerId,
				...(row && ownProviders && isOwnProviderId(providerId)
					? { name: ownProviders.nameOf({ providerId, settings: settingsOf(row) ?? {} }) }
					: {}),
				source: sourceOf(config, fallbackToGlobal && isGlobal),
				config,
				callbackURL: row?.redirectURI ?? `${ctx.baseURL}${callbackPathOf(providerId, tenantId)}`,
				lastFailure: row?.failedAt && row.failure ? { at: row.failedAt, code: row.failure } : null,
			} as const;
		}),
	);
}

/** A config that cannot be decrypted is an error. No other client replaces it. */
function sourceOf(config: EffectiveProvider["config"], isGlobal: boolean) {
	if (config === "own") return "tenant";
	return isGlobal && config !== "unreadable" ? "global" : "none";
}

async function stateOf(
	ctx: AuthContext,
	row: OAuthConfigRow,
): Promise<EffectiveProvider["config"]> {
	if (!row.enabled) return "disabled";
	return readCredentials(ctx, row).then(
		() => "own",
		() => "unreadable",
	);
}

/** Whether the app has configured the provider itself. Others are in the list for tenants only. */
const isOfHost = (entry: AuthContext["socialProviders"][number]): boolean =>
	"createAuthorizationURL" in entry;
