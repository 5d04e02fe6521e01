import type { AuthContext } from "@better-auth/core";
import { defineCallState, findState } from "../../call/context/current-state";
import { isSocialSignIn } from "../../call/context/endpoint-rules";
import {
	findTenantRow,
	TENANT_MODEL,
	type TenantRow,
	type TenantScope,
} from "../../call/context/tenant";
import { currentAdapter } from "../../database/current-adapter";
import { joinsOwnTables } from "../../database/joins";
import { rawAdapterOf } from "../../isolation/raw-adapter";
import { decryptField } from "./cipher";
import { type OAuthConfigRow, type TenantOAuthConfig, toOAuthConfig } from "./config";

const MODEL = "tenantOauthConfig";

/** More than there are providers. The adapter's default page of 100 must not cut the list. */
const MAX_CONFIGS = 1000;

/** All configs of a tenant with decrypted client ids, oldest first. */
export async function listConfigs(
	ctx: Pick<AuthContext, "adapter" | "secretConfig" | "logger">,
	{ tenantId }: TenantScope,
): Promise<TenantOAuthConfig[]> {
	const rows = await findConfigRows(ctx, tenantId);
	return Promise.all(
		rows.map(async (row) => toOAuthConfig(row, await decryptField(ctx, row, "clientId"))),
	);
}

/** All configs of a tenant, or the one for a provider. */
export async function findConfigRows(
	ctx: Pick<AuthContext, "adapter">,
	tenantId: string,
	providerId?: string,
): Promise<OAuthConfigRow[]> {
	const database = currentAdapter(ctx.adapter);
	const ofTenant = { field: "tenantId", value: tenantId };
	const model = MODEL;
	if (providerId !== undefined) {
		const where = [ofTenant, { field: "providerId", value: providerId }];
		return database.findMany<OAuthConfigRow>({ model, where, limit: 1 });
	}
	return database.findMany<OAuthConfigRow>({
		model,
		where: [ofTenant],
		sortBy: { field: "createdAt", direction: "asc" },
		limit: MAX_CONFIGS,
	});
}

const reads = defineCallState(() => new Map<string, Promise<OAuthConfigRow[]>>());

/** Reads tenants by their id. A social sign-in gets the tenant's configs with the same statement. */
export function tenantReader(ctx: AuthContext): (id: string) => Promise<TenantRow | null> {
	return async (id) => {
		if (!isSocialSignIn(findState()?.endpoint?.path) || !joinsOwnTables(ctx)) {
			return findTenantRow(ctx, "id", id);
		}
		const found = await rawAdapterOf(currentAdapter(ctx.adapter)).findOne<
			TenantRow & { [MODEL]: OAuthConfigRow[] }
		>({
			model: TENANT_MODEL,
			where: [{ field: "id", value: id }],
			join: { [MODEL]: { limit: MAX_CONFIGS } },
		});
		// MySQL ignores case and trailing spaces.
		if (found?.id !== id) return null;
		const { [MODEL]: configs, ...tenant } = found;
		reads.get().set(keyOf(id), Promise.resolve(configs));
		return tenant;
	};
}

const keyOf = (tenantId: string, providerId?: string) => JSON.stringify([tenantId, providerId]);

/**
 * The tenant's config for a provider, if sign-in uses it. The same is read once per call.
 *
 * @param isOnlyOne whether the call asks for no other provider; otherwise all configs are read at once
 */
export async function findEnabledConfig(
	ctx: AuthContext,
	tenantId: string,
	providerId: string,
	isOnlyOne: boolean,
): Promise<OAuthConfigRow | undefined> {
	const known = reads.get();
	const only = isOnlyOne ? providerId : undefined;
	const rows =
		known.get(keyOf(tenantId)) ??
		known.get(keyOf(tenantId, only)) ??
		findConfigRows(ctx, tenantId, only);
	known.set(keyOf(tenantId, only), rows);
	return (await rows).find((row) => row.providerId === providerId && row.enabled);
}
