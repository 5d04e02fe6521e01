import type { BetterAuthPlugin } from "better-auth";

export interface Note {
	id: string;
	userId: string;
	text: string;
	createdAt: Date;
}

/**
 * A table of this app. As a plugin of Better Auth, it is created by the same migration, and inside of a
 * tenant Better Auth's adapter finds the rows of this tenant only.
 */
export const notes = {
	id: "notes",
	schema: {
		note: {
			fields: {
				userId: {
					type: "string",
					required: true,
					references: { model: "user", field: "id", onDelete: "cascade" },
				},
				text: { type: "string", required: true },
				createdAt: { type: "date", required: true },
			},
		},
	},
} satisfies BetterAuthPlugin;
