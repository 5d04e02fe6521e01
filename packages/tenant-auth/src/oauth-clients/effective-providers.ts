import type { AuthContext } from "@better-auth/core";
import { decryptCredential } from "./cipher";
import type { OAuthConfigRow } from "./config";
import { callbackPathOf } from "./provider";
import { findConfigRows } from "./store";

/** The provider that a tenant's sign-in would use, and why. */
export interface EffectiveProvider {
	providerId: string;
	source: "tenant" | "global" | "none";
	/**
	 * - `own`: the tenant's config is enabled
	 * - `disabled`: the tenant's config is disabled
	 * - `unreadable`: its credentials cannot be decrypted, so no one can sign in with it
	 * - `absent`: the tenant has no config
	 */
	config: "own" | "disabled" | "unreadable" | "absent";
	/** The callback URL to register at the provider. */
	callbackURL: string;
	lastFailure: { at: Date; code: string } | null;
}

/** All built-in providers and others that the app has, ordered by id. */
export async function listEffectiveProviders(
	ctx: AuthContext,
	tenantId: string,
): Promise<EffectiveProvider[]> {
	const rows = new Map((await findConfigRows(ctx, tenantId)).map((row) => [row.providerId, row]));
	const providers = [...ctx.socialProviders].sort((a, b) => a.id.localeCompare(b.id));
	return Promise.all(
		providers.map(async (provider) => {
			const providerId = provider.id;
			const row = rows.get(providerId);
			const config = row ? await stateOf(ctx, row) : "absent";
			return {
				providerId,
				source: sourceOf(config, isOfHost(provider)),
				config,
				callbackURL: row?.redirectURI ?? `${ctx.baseURL}${callbackPathOf(providerId)}`,
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
	const { tenantId, providerId } = row;
	for (const field of ["clientId", "clientSecret"] as const) {
		const isReadable = await decryptCredential(
			ctx,
			{ tenantId, providerId, field },
			row[field],
		).then(
			() => true,
			() => false,
		);
		if (!isReadable) return "unreadable";
	}
	return "own";
}

/** Whether the app has configured the provider itself. Others are in the list for tenants only. */
const isOfHost = (entry: AuthContext["socialProviders"][number]): boolean =>
	"createAuthorizationURL" in entry;
