import * as z from "zod";
import { emailSchema } from "../../email-address";

/** As long as the columns that core creates on MySQL. PostgreSQL rejects NUL. */
export const storable = (maxLength: number) =>
	z
		.string()
		.max(maxLength)
		.regex(/^[^\0]*$/, "must not contain NUL");

/** The fields of a user in a body. */
export const userFields = {
	name: storable(255).meta({ description: "The user's name" }),
	/** At sign-up, an app may leave the name empty, as with core. Somebody who manages users gives one. */
	givenName: storable(255)
		.regex(/\S/, "must not be empty")
		.meta({ description: "The user's name" }),
	email: emailSchema.meta({ description: "The user's email" }),
	password: z.string().min(1).meta({ description: "The user's password" }),
	image: storable(16_000).meta({ description: "The URL of a profile image" }),
};
