import type { BetterAuthOptions } from "@better-auth/core";
import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { BetterAuthError } from "@better-auth/core/error";
import { mergeSchema } from "better-auth/db";

/** The platform's rows hold `""`, since a unique index takes no nullable column; callers see `null`. */
const tenantIdField = {
	type: "string",
	defaultValue: "",
	// Nobody sets it through an endpoint: the scoped adapter writes it.
	input: false,
	transform: { output: (value: unknown) => (value === "" || value == null ? null : String(value)) },
} as const;

// For the types alone: they know of `null` in an answer only where a field is not required.
const tenantId = tenantIdField as typeof tenantIdField & { readonly required: false };

const text = { type: "string", required: true } as const;
const optionalText = { type: "string", required: false } as const;
const timestamp = {
	type: "date",
	required: true,
	defaultValue: () => new Date(),
} as const;

const createSchema = () =>
	({
		tenant: {
			fields: {
				name: { ...text },
				slug: { ...text, unique: true },
				/** A JSON object as text: any depth, no driver's opinion on it. */
				metadata: { ...optionalText },
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
				tenantId: {
					...text,
					references: { model: "tenant", field: "id", onDelete: "cascade" },
				},
				providerId: { ...text },
				/** Sealed, like the secret. */
				clientId: { ...text },
				clientSecret: { ...text, returned: false },
				/** A JSON array as text. */
				scopes: { ...optionalText },
				redirectURI: { ...optionalText },
				/** A JSON object as text: the provider's own public settings. */
				options: { ...optionalText },
				enabled: { type: "boolean", required: true, defaultValue: true },
				/** Where the last sign-in with it failed, if one did. */
				failedAt: { type: "date", required: false },
				failure: { ...optionalText },
				createdAt: { ...timestamp },
				updatedAt: { ...timestamp },
			},
			indexes: [{ fields: ["tenantId", "providerId"], unique: true }],
		},
		/** Whose a row of another plugin's table is. */
		tenantRow: {
			fields: {
				model: { ...text },
				rowId: { ...text },
				tenantId: { ...text, index: true },
			},
			indexes: [{ fields: ["model", "rowId"], unique: true }],
		},
		/** Who did what to which tenant. It outlives the tenant. */
		tenantAuditEvent: {
			fields: {
				createdAt: { ...timestamp, index: true },
				action: { ...text },
				tenantId: { ...text },
				actorKind: { ...text },
				actorId: { ...optionalText },
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
				 * Core's own declaration says `unique: true`; this one takes its place, so that the
				 * address is unique per tenant only. `required` must stay unwritten: Better Auth
				 * demands a plugin's required fields from sign-up input.
				 */
				email: { type: "string", input: false, sortable: true },
			},
			indexes: [{ fields: ["tenantId", "email"], unique: true }],
		},
		session: {
			fields: { tenantId: { ...tenantId } },
			// Core asks by user, and the scope adds the tenant. Between two indexes of one column each, a
			// database that knows nothing of its rows may take the tenant's, and read all of its sessions.
			indexes: [{ fields: ["tenantId", "userId"] }],
		},
		account: {
			fields: {
				tenantId: { ...tenantId },
				/** Who gave out the account id, where that is not the provider's own service. */
				authority: { ...optionalText, input: false, returned: false },
				/** A digest of the client that obtained the tokens. */
				oauthClient: { ...optionalText, input: false, returned: false },
			},
			indexes: [{ fields: ["tenantId", "providerId", "accountId"], unique: true }],
		},
		verification: {
			fields: { tenantId: { ...tenantId } },
			// The same; and with each one that core looks up, it deletes those that have expired.
			indexes: [{ fields: ["tenantId", "identifier"] }, { fields: ["tenantId", "expiresAt"] }],
		},
	}) satisfies BetterAuthPluginDBSchema;

type TenantAuthSchema = ReturnType<typeof createSchema>;

type OwnModel = "tenant" | "tenantOauthConfig" | "tenantRow" | "tenantAuditEvent";

/**
 * Other names for this plugin's models and fields in the database. Core's models are renamed by
 * Better Auth's own options (`user.modelName`, …).
 */
export type TenantAuthSchemaNames = {
	[Model in keyof TenantAuthSchema]?: {
		fields?: { [Field in keyof TenantAuthSchema[Model]["fields"]]?: string };
	} & (Model extends OwnModel ? { modelName?: string } : unknown);
};

/** Each plugin instance has its own copy: `mergeSchema` writes into it. */
export function tenantSchema(names: TenantAuthSchemaNames | undefined): TenantAuthSchema {
	return mergeSchema(
		createSchema(),
		names as Parameters<typeof mergeSchema>[1],
	) as TenantAuthSchema;
}

/**
 * This plugin declares `user.email` anew, and with it the name of its column: the host's own name
 * for it no longer counts. Unnoticed, addresses would go into a second column.
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
