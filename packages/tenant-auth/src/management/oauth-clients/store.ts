import type { AuthContext } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import type { Where } from "@better-auth/core/db/adapter";
import { findTenantRow, type TenantScope } from "../../call/context/tenant";
import { isUniqueViolation } from "../../database/errors";
import { runRetried } from "../../database/write-conflicts";
import { tenantError } from "../../tenant-error";
import { decryptField, encryptCredential } from "./cipher";
import {
	joinClientIds,
	type OAuthConfigRow,
	type ProviderSettings,
	type TenantOAuthConfig,
	type TenantProviderId,
	toOAuthConfig,
} from "./config";

const MODEL = "tenantOauthConfig";

type StoreContext = Pick<AuthContext, "adapter" | "secretConfig" | "logger">;

const database = (ctx: Pick<AuthContext, "adapter">) => getCurrentAdapter(ctx.adapter);

const ofPair = (tenantId: string, providerId: string): Where[] => [
	{ field: "tenantId", value: tenantId },
	{ field: "providerId", value: providerId },
];

export interface OAuthConfigInput {
	providerId: TenantProviderId;
	clientIds: string[];
	clientSecret: string;
	scopes?: string[] | undefined;
	redirectURI?: string | undefined;
	options?: ProviderSettings | undefined;
	/** Kept if it is missing, as long as client ids and options stay the same. */
	trustEmails?: string[] | undefined;
	enabled: boolean;
}

/** Creates or replaces the tenant's config for a provider. `note` runs in the same transaction. */
export async function upsertConfig(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	{ providerId, ...input }: OAuthConfigInput,
	note: () => Promise<void>,
): Promise<TenantOAuthConfig> {
	const { scopes = null, redirectURI = null, options = null } = input;
	const change: OAuthConfigChange = { ...input, scopes, redirectURI, options };
	const write = async () => {
		const row = await findConfigRow(ctx, tenantId, providerId);
		const written = row
			? await updateRow(ctx, row, change)
			: await insertConfig(ctx, tenantId, providerId, change);
		await note();
		return written;
	};
	// Retried: the row may appear or disappear between two steps.
	for (let round = 0; round < 5; round += 1) {
		const row = await runRetried(ctx.adapter, write).catch((error: unknown) =>
			refuseUnlessRace(ctx, tenantId, error),
		);
		if (row) return toOAuthConfig(row, joinClientIds(input.clientIds));
	}
	throw tenantError("WRITE_CONFLICT");
}

/** `null` if another request has inserted the pair meanwhile. */
async function refuseUnlessRace(ctx: StoreContext, tenantId: string, error: unknown) {
	if (isUniqueViolation(error)) return null;
	// The foreign key fails if the tenant was deleted meanwhile.
	if (!(await findTenantRow(ctx, "id", tenantId))) throw tenantError("TENANT_NOT_FOUND");
	throw error;
}

/**
 * The app trusts one client at one identity provider. A tenant's admin may replace it, and must not get
 * the trust for another one. A new secret changes nothing.
 */
async function keptTrust(
	ctx: StoreContext,
	row: Values,
	options: string | null,
	clientIds: string[] | null,
): Promise<string | null> {
	if (!row.trustEmails || row.options !== options) return null;
	if (!clientIds) return row.trustEmails;
	const before = await decryptField(ctx, row, "clientId").catch(() => null);
	return before === joinClientIds(clientIds) ? row.trustEmails : null;
}

async function insertConfig(
	ctx: StoreContext,
	tenantId: string,
	providerId: TenantProviderId,
	change: OAuthConfigChange,
): Promise<OAuthConfigRow> {
	if (!(await findTenantRow(ctx, "id", tenantId))) throw tenantError("TENANT_NOT_FOUND");
	const now = new Date();
	const empty = {
		...{ tenantId, providerId, clientId: "", clientSecret: "", enabled: true },
		...{ scopes: null, redirectURI: null, options: null, trustEmails: null },
		...{ failedAt: null, failure: null, createdAt: now, updatedAt: now },
	};
	return (await database(ctx)).create<Values, OAuthConfigRow>({
		model: MODEL,
		data: { ...empty, ...(await changedValues(ctx, empty, change)) },
	});
}

/** Changes of a config. What is missing stays. */
export type OAuthConfigChange = {
	[Field in keyof Omit<OAuthConfigInput, "providerId">]?: OAuthConfigInput[Field] | null;
};

/**
 * Changes a config. Call it inside a transaction.
 *
 * @param check throws if the config and its change do not fit together
 */
export async function changeConfig(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	providerId: TenantProviderId,
	change: OAuthConfigChange,
	check: (row: OAuthConfigRow) => Promise<void>,
): Promise<TenantOAuthConfig> {
	const row = await requireConfigRow(ctx, tenantId, providerId);
	await check(row);
	const changed = await updateRow(ctx, row, change);
	if (!changed) throw configNotFound();
	return toOAuthConfig(changed, await decryptField(ctx, changed, "clientId"));
}

/** By id: on MySQL the adapter reads the changed row again by one condition only. */
const updateRow = async (ctx: StoreContext, row: OAuthConfigRow, change: OAuthConfigChange) =>
	(await database(ctx)).update<OAuthConfigRow>({
		model: MODEL,
		where: [{ field: "id", value: row.id }],
		update: { ...(await changedValues(ctx, row, change)), updatedAt: new Date() },
	});

type Values = Omit<OAuthConfigRow, "id">;

async function changedValues(ctx: StoreContext, row: Values, change: OAuthConfigChange) {
	const { clientIds, clientSecret, scopes, redirectURI, options, trustEmails, enabled } = change;
	const { tenantId, providerId } = row;
	const encrypt = (field: "clientId" | "clientSecret", value: string) =>
		encryptCredential(ctx, { tenantId, providerId, field }, value);
	const newOptions = options === undefined ? row.options : options && JSON.stringify(options);
	const isOtherClient = Object.keys(change).some((name) => name !== "enabled");
	return {
		...(typeof enabled === "boolean" ? { enabled } : {}),
		...(clientIds == null ? {} : { clientId: await encrypt("clientId", joinClientIds(clientIds)) }),
		...(clientSecret == null ? {} : { clientSecret: await encrypt("clientSecret", clientSecret) }),
		...(scopes === undefined ? {} : { scopes: scopes && JSON.stringify(scopes) }),
		...(redirectURI === undefined ? {} : { redirectURI }),
		trustEmails: trustEmails
			? JSON.stringify(trustEmails)
			: await keptTrust(ctx, row, newOptions, clientIds ?? null),
		// The secret is written together with the settings that it was checked with: a registration at
		// the same time must not leave its secret with a server that somebody else chose.
		...(options === undefined
			? {}
			: {
					options: newOptions,
					...(clientSecret == null ? { clientSecret: row.clientSecret } : {}),
				}),
		// The failure belongs to the client as it was.
		...(isOtherClient ? { failedAt: null, failure: null } : {}),
	};
}

export async function deleteConfig(
	ctx: StoreContext,
	{ tenantId }: TenantScope,
	providerId: string,
): Promise<void> {
	await requireConfigRow(ctx, tenantId, providerId);
	const where = ofPair(tenantId, providerId);
	const deleted = await (await database(ctx)).deleteMany({ model: MODEL, where });
	if (deleted === 0) throw configNotFound();
}

const findConfigRow = async (ctx: StoreContext, tenantId: string, providerId: string) =>
	(await database(ctx)).findOne<OAuthConfigRow>({
		model: MODEL,
		where: ofPair(tenantId, providerId),
	});

async function requireConfigRow(
	ctx: StoreContext,
	tenantId: string,
	providerId: string,
): Promise<OAuthConfigRow> {
	const row = await findConfigRow(ctx, tenantId, providerId);
	// MySQL ignores case and trailing spaces.
	if (row?.providerId !== providerId) throw configNotFound();
	return row;
}

const configNotFound = () => tenantError("OAUTH_CONFIG_NOT_FOUND");

export async function noteFailure(
	ctx: Pick<AuthContext, "adapter">,
	tenantId: string,
	providerId: string,
	failure: string,
): Promise<void> {
	await (await database(ctx)).updateMany({
		model: MODEL,
		where: ofPair(tenantId, providerId),
		update: { failedAt: new Date(), failure },
	});
}
