import * as z from "zod";

/** What a user has granted an application: by consent, or with a sign-in at an own application. */
export const grantSchema = z.object({
	clientId: z.string().meta({ description: "The application" }),
	name: z.string().meta({ description: "The name of the application" }),
	logoUrl: z.string().nullable().meta({ description: "The logo of the application" }),
	scopes: z.array(z.string()).meta({ description: "What it may do" }),
	grantedAt: z.date().meta({ description: "When the user granted it first" }),
	usedAt: z.date().meta({ description: "When it last got tokens, or the consent was given" }),
	hasTokens: z.boolean().meta({ description: "Whether it can refresh its tokens now" }),
});

export type Grant = z.output<typeof grantSchema>;
