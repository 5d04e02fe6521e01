import type { AuthContext } from "@better-auth/core";

type Row = Readonly<Record<string, unknown>>;
type Options = Pick<AuthContext, "options">;

/** A column whose values are encrypted with the secret of Better Auth. */
export interface EncryptedField {
	name: string;
	/** Whether the app's options encrypt it. By default it always is. */
	isEncrypted?: (ctx: Options) => boolean;
	/** The column has the ciphertext as a JSON string. */
	isJson?: true;
	/** The app may have values from before it turned the encryption on. */
	mayBePlain?: true;
	/** Where a value of ours belongs. It can be decrypted nowhere else. */
	placeOf?: (row: Row) => string[];
	/** Whether the value of a row is still used. By default it is. */
	isUsed?: (row: Row) => boolean;
	/**
	 * What happens if an endpoint uses a value that no secret decrypts. Better Auth returns 500 for some:
	 * those are refused. Of others, where it returns 4xx at these paths, the log says why.
	 */
	ifUnreadable: "refuse" | { logAt: readonly string[] } | "handled by its feature";
}

/** A table with encrypted columns, by its name in Better Auth's schema. */
export interface EncryptedTable {
	model: string;
	fields: readonly EncryptedField[];
}

/** The options that an app has passed to a plugin of Better Auth. */
export function optionsOf({ options }: Options, id: string): Record<string, unknown> {
	return Object(options.plugins?.find((plugin) => plugin.id === id)?.options);
}

/** Where a credential of an OAuth config belongs. */
export const placeOfCredential = (
	{ tenantId, providerId }: { tenantId: string; providerId: string },
	field: "clientId" | "clientSecret",
): string[] => [tenantId, providerId, field];

const credential = (name: "clientId" | "clientSecret"): EncryptedField => ({
	name,
	placeOf: (row) => placeOfCredential(row as Parameters<typeof placeOfCredential>[0], name),
	ifUnreadable: "handled by its feature",
});

/**
 * What `tenantAuth()` itself stores encrypted. `foreign` has the list of Better Auth and its plugins, and
 * other plugins name what they encrypt in their `tenant` part. Re-encryption, the inspection of stored
 * secrets and the error for an unreadable value all use these lists. `encrypted-fields.test.ts` compares
 * them with the code of the installed packages.
 */
export const OWN_SECRETS: EncryptedTable = {
	model: "tenantOauthConfig",
	fields: [credential("clientId"), credential("clientSecret")],
};
