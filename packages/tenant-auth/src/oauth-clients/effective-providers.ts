import type { AuthContext } from "@better-auth/core";
import { openCredential } from "./cipher";
import type { OAuthConfigRow } from "./config";
import { callbackPathOf } from "./provider";
import { findConfigRows } from "./store";

/** What a tenant's sign-in with a provider would use, and why. */
export interface EffectiveProvider {
	providerId: string;
	source: "tenant" | "global" | "none";
	/**
	 * - `own`: the tenant's config is enabled
	 * - `disabled`: it has one that is not
	 * - `unreadable`: it has one whose credentials cannot be opened, so that nobody can sign in with it
	 * - `absent`: it has none
	 */
	config: "own" | "disabled" | "unreadable" | "absent";
	/** What must be registered at the provider. */
	callbackURL: string;
	lastFailure: { at: Date; code: string } | null;
}

/** Of every built-in provider and those that the host has beside them, in the order of their names. */
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

/** A config that cannot be opened is an error: no other client takes its place. */
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
		const isReadable = await openCredential(ctx, { tenantId, providerId, field }, row[field]).then(
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
