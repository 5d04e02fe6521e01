import type { AuthContext } from "@better-auth/core";
import { defineCallState } from "../context/current-state";
import type { TenantScope } from "../context/tenant";
import { compileRead } from "../database/compiled-reads";
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

const compiled = new WeakMap<object, ReturnType<typeof compileRead>>();

/** Every social sign-in of a tenant reads one config. */
async function findOne(
	ctx: AuthContext,
	tenantId: string,
	providerId: string,
): Promise<OAuthConfigRow[]> {
	const { adapter } = ctx;
	if (!compiled.has(adapter)) {
		compiled.set(adapter, compileRead(ctx, { model: MODEL, by: ["providerId", "tenantId"] }));
	}
	const read = compiled.get(adapter)?.();
	if (!read) return findConfigRows(ctx, tenantId, providerId);
	return (await read(providerId, tenantId)).map(([row]) => row as unknown as OAuthConfigRow);
}

const reads = defineCallState(() => new Map<string, Promise<OAuthConfigRow[]>>());

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
	const key = JSON.stringify([tenantId, only]);
	const rows =
		known.get(key) ??
		(isOnlyOne ? findOne(ctx, tenantId, providerId) : findConfigRows(ctx, tenantId));
	known.set(key, rows);
	return (await rows).find((row) => row.providerId === providerId && row.enabled);
}
