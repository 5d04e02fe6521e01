import type { BetterAuthOptions } from "@better-auth/core";
import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { ofTenant, optionalText, renamed, text, timestamp } from "./columns";
import { columnAdvice } from "./name-conflicts";

/** Rows of the platform have `""`, because a unique index needs a non-null column. Callers see `null`. */
const tenantIdField = {
	type: "string",
	defaultValue: "",
	// No client can set it: the isolated adapter writes it.
	input: false,
	transform: { output: (value: unknown) => (value === "" || value == null ? null : String(value)) },
} as const;

// Only for the types: they allow `null` in a response only if the field is not required.
const tenantId = tenantIdField as typeof tenantIdField & { readonly required: false };

/**
 * The fields of a unique index. Better Auth looks them up before it starts any plugin, and stops if the app
 * has its own `tenantId` that may be empty. It does not say whose field it means. This list does, the first
 * time that somebody looks up its fields with `some`. After that it is a plain list.
 */
function uniqueIn(model: string, ...fields: [string, ...string[]]): [string, ...string[]] {
	const some = (isWrong: (field: string, at: number, all: string[]) => unknown) => {
		Reflect.deleteProperty(fields, "some");
		// Not a string, so that only a look-up finds the field, and not a comparison of names.
		const key = { toString: () => "tenantId" } as unknown as string;
		if (!isWrong(key, 0, fields)) return fields.some(isWrong);
		throw new BetterAuthError(
			`tenantAuth: ${model}.additionalFields has the field tenantId, and so has tenantAuth. ${columnAdvice(model, "tenantId", "tenantAuth")}`,
		);
	};
	return Object.defineProperty(fields, "some", { value: some, configurable: true });
}

const createSchema = () =>
	({
		tenant: {
			fields: {
				name: { ...text },
				slug: { ...text, unique: true },
				/** A JSON object as text: JSON columns differ between databases. */
				metadata: { ...optionalText },
				/** A JSON object as text: what the tenant decides about sign-up, sign-in and sessions. */
				policy: { ...optionalText },
				/**
				 * Of `tenantWebhooks()`: which events its webhooks want. It is declared here, because Better Auth
				 * would forget another name of this table if a second plugin declared a column of it.
				 */
				webhooks: { ...optionalText },
				createdAt: { ...timestamp, index: true },
				updatedAt: { ...timestamp },
				/** Set while the tenant is being deleted. */
				erasingSince: { type: "date", required: false },
				/** Set while the tenant is suspended. */
				suspendedAt: { type: "date", required: false },
			},
		},
		tenantOauthConfig: {
			fields: {
				tenantId: { ...ofTenant },
				providerId: { ...text },
				/** Encrypted, like the secret. */
				clientId: { ...text },
				clientSecret: { ...text, returned: false },
				/** A JSON array as text. */
				scopes: { ...optionalText },
				redirectURI: { ...optionalText },
				/** A JSON object as text: the provider's own public settings. */
				options: { ...optionalText },
				/** A JSON array as text: the email domains for which the app trusts this provider. */
				trustEmails: { ...optionalText },
				enabled: { type: "boolean", required: true, defaultValue: true },
				/** The last sign-in with this config that failed. */
				failedAt: { type: "date", required: false },
				failure: { ...optionalText },
				createdAt: { ...timestamp },
				updatedAt: { ...timestamp },
			},
			indexes: [{ fields: ["tenantId", "providerId"], unique: true }],
		},
		/** Which tenant owns a row of another plugin's table. */
		tenantRow: {
			fields: {
				model: { ...text },
				rowId: { ...text },
				tenantId: { ...text },
			},
			indexes: [{ fields: ["model", "rowId"], unique: true }, { fields: ["tenantId", "model"] }],
		},
		/** Slugs of renamed and deleted tenants. They are not for other tenants. */
		tenantFormerSlug: {
			fields: {
				slug: { ...text, unique: true },
				/** No reference: it is empty after the tenant was deleted. */
				tenantId: { ...text, index: true },
				createdAt: { ...timestamp },
			},
		},
		/** Who did what to which tenant. It stays when the tenant is deleted. */
		tenantAuditEvent: {
			fields: {
				createdAt: { ...timestamp, index: true },
				action: { ...text },
				tenantId: { ...text },
				actorKind: { ...text },
				actorId: { ...optionalText },
				actorName: { ...optionalText },
				targetId: { ...optionalText },
				ipAddress: { ...optionalText },
				userAgent: { ...optionalText },
				/** A JSON object as text. */
				detail: { ...optionalText },
			},
			indexes: [{ fields: ["tenantId", "createdAt"] }],
		},
		user: {
			fields: {
				tenantId: { ...tenantId },
				/**
				 * Replaces core's declaration, which has `unique: true`: an email is unique per tenant
				 * only. Do not add `required`: Better Auth would require the field in sign-up input.
				 */
				email: { type: "string", input: false, sortable: true },
				/** The user's role in their tenant. Not `role`, which belongs to the admin plugin. */
				tenantRole: { ...optionalText, input: false },
				/** Set while the user is disabled: they cannot sign in, and their sessions are not valid. */
				disabledAt: { type: "date", required: false, input: false },
			},
			// The second one is for the list of a tenant's users.
			indexes: [
				{ fields: uniqueIn("user", "tenantId", "email"), unique: true },
				{ fields: ["tenantId", "createdAt"] },
			],
		},
		session: {
			fields: {
				tenantId: { ...tenantId },
				/**
				 * Who impersonates the user, such as `member:<user id>`. Not `impersonatedBy`, which belongs
				 * to the admin plugin. It is returned: a secondary storage keeps only what is.
				 */
				tenantImpersonator: { ...optionalText, input: false },
			},
			// Core queries by user, and isolation adds the tenant. With two indexes of one column each, a
			// database without statistics may use the tenant's, and read all of its sessions.
			indexes: [{ fields: ["tenantId", "userId"] }, { fields: ["tenantId", "createdAt"] }],
		},
		account: {
			fields: {
				tenantId: { ...tenantId },
				/** The account issuer, if it is not the provider's own service. */
				authority: { ...optionalText, input: false, returned: false },
				/** A digest of the client that obtained the tokens. */
				oauthClient: { ...optionalText, input: false, returned: false },
			},
			indexes: [
				{
					fields: uniqueIn("account", "tenantId", "providerId", "accountId"),
					unique: true,
				},
			],
		},
		verification: {
			fields: { tenantId: { ...tenantId } },
			// The same. And core deletes expired rows whenever it looks one up.
			indexes: [{ fields: ["tenantId", "identifier"] }, { fields: ["tenantId", "expiresAt"] }],
		},
	}) satisfies BetterAuthPluginDBSchema;

/** Core's tables, to which this plugin adds columns. */
export const CORE_MODELS: readonly string[] = ["user", "session", "account", "verification"];

/** Whether a field of our schema is ours. The email is core's: it is only declared again. */
export const isOwnField = (model: string, field: string): boolean =>
	!(model === "user" && field === "email");

type TenantAuthSchema = ReturnType<typeof createSchema>;

type OwnModel =
	| "tenant"
	| "tenantOauthConfig"
	| "tenantRow"
	| "tenantFormerSlug"
	| "tenantAuditEvent";

/**
 * Other names for this plugin's models and fields in the database. Core's models are renamed by
 * Better Auth's own options (`user.modelName`, …).
 */
export type TenantAuthSchemaNames = {
	[Model in keyof TenantAuthSchema]?: {
		fields?: { [Field in keyof TenantAuthSchema[Model]["fields"]]?: string };
	} & (Model extends OwnModel ? { modelName?: string } : unknown);
};

/** Each instance has its own copy. */
export const tenantSchema = (names?: TenantAuthSchemaNames): TenantAuthSchema =>
	renamed("tenantAuth", createSchema(), names);

/**
 * This plugin declares `user.email` again, and with it the name of its column. The app's own name for it
 * is not used any more: emails would go into a second column.
 */
export function requireSameEmailColumn(
	host: BetterAuthOptions,
	names: TenantAuthSchemaNames | undefined,
): void {
	const wanted = host.user?.fields?.email ?? "email";
	if ((names?.user?.fields?.email ?? "email") === wanted) return;
	throw new BetterAuthError(
		`tenantAuth: Better Auth's user.fields.email is ${JSON.stringify(wanted)}, so tenantAuth needs schema: { user: { fields: { email: ${JSON.stringify(wanted)} } } } as well`,
	);
}
