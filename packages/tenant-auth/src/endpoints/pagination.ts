import * as z from "zod";

export const wholeNumber = z.coerce.number<number | string>().int().max(Number.MAX_SAFE_INTEGER);

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL takes no NUL in a parameter
const NUL = /\u0000/;

/** Which part of a list is wanted. */
export const pageFields = {
	limit: wholeNumber.min(1).max(1000).meta({ description: "At most so many" }).optional(),
	offset: wholeNumber.min(0).meta({ description: "How many to pass over" }).optional(),
};

export const searchSchema = z
	.string()
	.max(200)
	.refine((text) => !NUL.test(text), "search must not contain NUL");
