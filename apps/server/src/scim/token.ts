import * as z from "zod";

/** A SCIM token as those who manage the tenant see it. */
export const scimTokenSchema = z.object({
	id: z.string().meta({ description: "Unique id" }),
	name: z.string().meta({ description: "The name that its maker gave it" }),
	role: z.string().meta({ description: "The token reaches the users whom this role reaches" }),
	createdAt: z.date().meta({ description: "When it was made" }),
	createdBy: z
		.string()
		.nullable()
		.meta({ description: "The email of the user of the tenant who made it; null for the service" }),
	expiresAt: z.date().meta({ description: "When it expires" }),
	lastUsedAt: z
		.date()
		.nullable()
		.meta({ description: "When it was used, at most five minutes late" }),
});

export type ScimToken = z.output<typeof scimTokenSchema>;
