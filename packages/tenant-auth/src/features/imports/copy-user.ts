import { PLATFORM_ID, type TenantScope } from "../../call/context/tenant";
import { EXCLUSIVE_FIELDS, SECOND_FACTOR } from "../../call/foreign";
import type { Row } from "../../isolation/raw-adapter";
import { forgetOwners, idOf, recordOwner } from "../../isolation/row-owners";
import { findPrefix, prefixValues } from "../../isolation/tenant-prefix";
import { findAppIssuer } from "./account-issuers";
import { rebindHash } from "./foreign-hash";
import type { Reading } from "./owned-rows";

/** What an OAuth provider has issued to the user of the platform. */
const TOKENS = [
	"accessToken",
	"refreshToken",
	"idToken",
	"accessTokenExpiresAt",
	"refreshTokenExpiresAt",
];

/**
 * Makes a second user in a tenant who signs in like a user of the platform: same email, password, social
 * accounts and second factor. The second factor must be copied, or the same password alone would be
 * enough in the tenant. Sessions, passkeys, API keys and OAuth tokens stay with the first user.
 *
 * @returns the id of the new user
 */
export async function copyUser(
	reading: Reading,
	scope: TenantScope,
	user: Row,
	tenantRole: string | null,
): Promise<string> {
	const { raw, settings } = reading;
	const { tenantId } = scope;
	const prefix = await findPrefix(tenantId, settings.tables.prefixedFieldsOf("user"));
	const values = without(user, ["id", ...(EXCLUSIVE_FIELDS.user ?? [])]);
	const data = { ...prefixValues(prefix, values), tenantId, tenantRole };
	const userId = idOf(await raw.create<Row, Row>({ model: "user", data }));
	await copyAccounts(reading, scope, idOf(user), userId);
	await copySecondFactor(reading, scope, idOf(user), userId);
	return userId;
}

const without = (row: Row, fields: readonly string[]): Row =>
	Object.fromEntries(Object.entries(row).filter(([name]) => !fields.includes(name)));

async function copyAccounts(
	{ ctx, raw }: Reading,
	{ tenantId }: TenantScope,
	from: string,
	userId: string,
): Promise<void> {
	const where = [
		{ field: "userId", value: from },
		{ field: "tenantId", value: PLATFORM_ID },
	];
	for (const account of await raw.findMany<Row>({ model: "account", where })) {
		// The account of a password has the user's id.
		const accountId = account.accountId === from ? userId : account.accountId;
		const password = rebindHash(account.password, userId);
		const authority = findAppIssuer(ctx, String(account.providerId));
		const own = { tenantId, userId, accountId, password, authority };
		const data = { ...without(account, ["id", ...TOKENS]), ...own };
		await raw.create<Row, Row>({ model: "account", data });
	}
}

async function copySecondFactor(
	{ ctx, raw, settings }: Reading,
	scope: TenantScope,
	from: string,
	userId: string,
): Promise<void> {
	const { table: model } = SECOND_FACTOR;
	if (!ctx.tables[model]) return;
	const where = [{ field: "userId", value: from }];
	for (const row of await raw.findMany<Row>({ model, where })) {
		const data = { ...without(row, ["id"]), userId };
		const { id } = await raw.create<Row, Row>({ model, data });
		if (settings.reusesIds) await forgetOwners(raw, model, [String(id)]);
		await recordOwner(raw, model, id, scope);
	}
}
