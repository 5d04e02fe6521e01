import type { BetterAuthPluginDBSchema } from "better-auth";
import type { Role } from "./permissions";

const text = { type: "string", required: true, input: false } as const;
const optionalText = { type: "string", required: false, input: false } as const;
const date = { type: "date", required: true, input: false } as const;
const optionalDate = { type: "date", required: false, input: false } as const;

/** The tables of operators and keys belong to no tenant: {@link SERVICE_TABLES}. */
export const operatorsSchema = {
	/**
	 * Operators search the users of all tenants. With the last index, a tenant's users are found and sorted by
	 * name.
	 */
	user: {
		fields: {},
		indexes: [
			{ fields: ["email"] },
			{ fields: ["createdAt"] },
			{ fields: ["name"] },
			{ fields: ["tenantId", "name"] },
		],
	},
	operator: {
		fields: {
			userId: {
				...text,
				unique: true,
				references: { model: "user", field: "id", onDelete: "cascade" },
			},
			role: { ...text },
			createdAt: { ...date },
			lastUsedAt: { ...optionalDate },
			/** Only owners have it: when one of the owners was changed. */
			lockedAt: { ...optionalDate },
		},
	},
	operatorKey: {
		fields: {
			name: { ...text },
			/** SHA-256 of the key. The key itself is not stored. */
			digest: { ...text, unique: true, returned: false },
			/** The beginning of the key, so that people recognize it. */
			start: { ...text },
			/** A JSON array as text. */
			scopes: { ...text },
			tenantId: { ...optionalText },
			/** Who made it, for people. */
			createdBy: { ...optionalText },
			createdAt: { ...date },
			expiresAt: { ...optionalDate },
			lastUsedAt: { ...optionalDate },
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

export const SERVICE_TABLES = Object.keys(operatorsSchema).filter((model) => model !== "user");

export type OperatorRow = {
	id: string;
	userId: string;
	role: Role;
	createdAt: Date;
	lastUsedAt: Date | null;
};

export type KeyRow = {
	id: string;
	name: string;
	digest: string;
	start: string;
	scopes: string;
	tenantId: string | null;
	createdBy: string | null;
	createdAt: Date;
	expiresAt: Date | null;
	lastUsedAt: Date | null;
};
