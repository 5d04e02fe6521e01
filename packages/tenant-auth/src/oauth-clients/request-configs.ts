import type { AuthContext } from "@better-auth/core";
import { defineCallState } from "../context/current-state";
import type { OAuthConfigRow } from "./config";
import { findConfigRows } from "./store";

const configs = defineCallState(() => new Map<string, Promise<OAuthConfigRow[]>>());

/** Reads a tenant's configs, once per call: core asks for one provider after the other. */
function findConfigsOnce(ctx: AuthContext, tenantId: string): Promise<OAuthConfigRow[]> {
	const known = configs.get();
	const rows = known.get(tenantId) ?? findConfigRows(ctx, tenantId);
	known.set(tenantId, rows);
	return rows;
}

export async function findEnabledConfig(
	ctx: AuthContext,
	tenantId: string,
	providerId: string,
): Promise<OAuthConfigRow | undefined> {
	const rows = await findConfigsOnce(ctx, tenantId);
	return rows.find((row) => row.providerId === providerId && row.enabled);
}
