import type { BetterAuthPluginDBSchema } from "better-auth";

const text = { type: "string", required: true, input: false } as const;
const optionalText = { type: "string", required: false, input: false } as const;
const date = { type: "date", required: true, input: false } as const;

/** What the service knows beside the tables of the SCIM plugin. The rows belong to tenants. */
export const scimSchema = {
	/** The SCIM plugin has the digest of the token and its state. */
	scimToken: {
		fields: {
			credentialId: { ...text, unique: true },
			name: { ...text },
			/** The role of the person who made it: the token reaches whom this person reaches. */
			role: { ...text },
			/** The email of a user of the tenant who made it. */
			createdBy: { ...optionalText },
		},
	},
	/** Users whom a directory has disabled. It must not enable users whom somebody else has disabled. */
	scimDisabledUser: {
		fields: {
			userId: {
				...text,
				unique: true,
				references: { model: "user", field: "id", onDelete: "cascade" },
			},
			disabledAt: { ...date },
		},
	},
	/** The roles of groups, one row for a tenant. */
	scimGroupRoles: {
		fields: {
			tenantId: { ...text, unique: true },
			/** As JSON. */
			roles: { ...text },
			/** Another one after each change. */
			revision: { ...text },
			/** When somebody has last relied on the roles. */
			lockedAt: { type: "date", required: false, input: false },
		},
	},
	/** The role that groups have given a user. */
	scimMappedRole: {
		fields: {
			userId: {
				...text,
				unique: true,
				references: { model: "user", field: "id", onDelete: "cascade" },
			},
			role: { ...text },
		},
	},
} as const satisfies BetterAuthPluginDBSchema;

export type TokenRow = {
	id: string;
	credentialId: string;
	name: string;
	role: string;
	createdBy: string | null;
};

export type DisabledUserRow = { id: string; userId: string; disabledAt: Date };

export type MappedRoleRow = { id: string; userId: string; role: string };
