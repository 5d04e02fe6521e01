import type { AuthContext } from "@better-auth/core";
import { defineCallState, findState } from "../context/current-state";
import { isSocialSignIn } from "../context/endpoint-rules";
import { findTenantRow, TENANT_MODEL, type TenantRow, type TenantScope } from "../context/tenant";
import { compileJoin } from "../database/compiled-reads";
import { currentAdapter } from "../database/current-adapter";
import { decryptField } from "./cipher";
import { type OAuthConfigRow, type TenantOAuthConfig, toOAuthConfig } from "./config";

const MODEL = "tenantOauthConfig";

/** More than there are providers. The adapter's default page of 100 must not cut the list. */
const ALL = 1000;

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
		limit: ALL,
	});
}

const reads = defineCallState(() => new Map<string, Promise<OAuthConfigRow[]>>());

/** Reads tenants by their id. A social sign-in gets the tenant's configs with the same statement. */
export function tenantReader(ctx: AuthContext): (id: string) => Promise<TenantRow | null> {
	const join = { model: MODEL, field: "tenantId", from: "id" };
	const withConfigs = compileJoin(ctx, { model: TENANT_MODEL, by: ["id"], join });
	return async (id) => {
		const read = isSocialSignIn(findState()?.endpoint?.path) ? withConfigs() : null;
		if (!read) return findTenantRow(ctx, "id", id);
		const found = await read(id);
		const configs = found.flatMap(([, config]) => config ?? []) as unknown as OAuthConfigRow[];
		reads.get().set(keyOf(id), Promise.resolve(configs));
		const [tenant] = found[0] ?? [];
		return (tenant as unknown as TenantRow | undefined) ?? null;
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
