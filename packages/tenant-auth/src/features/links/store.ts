import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { isUniqueViolation } from "../../database/errors";
import { tenantError } from "../../tenant-error";

export const LINK_MODEL = "tenantLink";
export const SETTING_MODEL = "tenantLinkSetting";

interface LinkRow {
	id: string;
	tenantId: string;
	userId: string;
	digest: string;
	createdAt: Date;
	usedAt: Date;
	expiresAt: Date;
}

interface SettingRow {
	id: string;
	tenantId: string;
	allowed: boolean;
}

type StoreContext = Pick<AuthContext, "adapter">;

// Inside a transaction the current adapter is the transaction's: any other connection would wait.
const database = (ctx: StoreContext) => getCurrentAdapter(ctx.adapter);

const ofTenant = (tenantId: string): Where => ({ field: "tenantId", value: tenantId });
const withDigests = (value: string[]): Where => ({ field: "digest", operator: "in", value });

/** Of two callers that write the same row, the loser begins its transaction again and finds the row. */
async function retryTwins<T>(create: Promise<T>): Promise<T> {
	return create.catch((error: unknown) => {
		throw isUniqueViolation(error) ? tenantError("WRITE_CONFLICT") : error;
	});
}

/** A row that has not expired. */
export async function findLink(ctx: StoreContext, digest: string): Promise<LinkRow | null> {
	const where = [{ field: "digest", value: digest }];
	const row = await (await database(ctx)).findOne<LinkRow>({ model: LINK_MODEL, where });
	return row && row.digest === digest && row.expiresAt > new Date() ? row : null;
}

export type NewLink = Pick<LinkRow, "tenantId" | "userId" | "digest" | "expiresAt">;

/**
 * Must run in a transaction that is retried. It takes the place of an expired row only: of two callers, the
 * database must refuse one.
 */
export async function insertLink(ctx: StoreContext, link: NewLink): Promise<void> {
	const db = await database(ctx);
	const now = new Date();
	const expired: Where = { field: "expiresAt", operator: "lte", value: now };
	await db.deleteMany({ model: LINK_MODEL, where: [withDigests([link.digest]), expired] });
	const data = { ...link, createdAt: now, usedAt: now };
	await retryTwins(db.create<Omit<LinkRow, "id">>({ model: LINK_MODEL, data }));
}

/** Says whether all of them were still there: one that somebody ends meanwhile is not used. */
export async function useLinks(ctx: StoreContext, digests: string[]): Promise<boolean> {
	const now = new Date();
	const live: Where = { field: "expiresAt", operator: "gt", value: now };
	const where = [withDigests(digests), live];
	const db = await database(ctx);
	const used = await db.updateMany({ model: LINK_MODEL, where, update: { usedAt: now } });
	return used === digests.length;
}

export async function deleteLinks(ctx: StoreContext, digests: string[]): Promise<void> {
	if (digests.length === 0) return;
	await (await database(ctx)).deleteMany({ model: LINK_MODEL, where: [withDigests(digests)] });
}

/** In all browsers. Returns how many there were. */
export async function deleteLinksOfUser(
	ctx: StoreContext,
	tenantId: string,
	userId: string,
): Promise<number> {
	const where = [ofTenant(tenantId), { field: "userId", value: userId }];
	return (await database(ctx)).deleteMany({ model: LINK_MODEL, where });
}

/** Without a row, links are not allowed. */
export async function allowsLinks(ctx: StoreContext, tenantId: string): Promise<boolean> {
	return (await findSetting(ctx, tenantId))?.allowed === true;
}

async function findSetting(ctx: StoreContext, tenantId: string): Promise<SettingRow | null> {
	const where = [ofTenant(tenantId)];
	const row = await (await database(ctx)).findOne<SettingRow>({ model: SETTING_MODEL, where });
	// MySQL ignores case and trailing spaces.
	return row?.tenantId === tenantId ? row : null;
}

/** Must run in a transaction that is retried. A tenant that forbids links has none left. */
export async function allowLinks(
	ctx: StoreContext,
	tenantId: string,
	allowed: boolean,
): Promise<void> {
	const db = await database(ctx);
	const where = [ofTenant(tenantId)];
	if (await findSetting(ctx, tenantId)) {
		await db.updateMany({ model: SETTING_MODEL, where, update: { allowed } });
	} else {
		const data = { tenantId, allowed };
		await retryTwins(db.create<Omit<SettingRow, "id">>({ model: SETTING_MODEL, data }));
	}
	if (!allowed) await db.deleteMany({ model: LINK_MODEL, where });
}
