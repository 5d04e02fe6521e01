import * as z from "zod";

export const integer = z.coerce.number<number | string>().int().max(Number.MAX_SAFE_INTEGER);

// biome-ignore lint/suspicious/noControlCharactersInRegex: PostgreSQL rejects NUL in a parameter
const NUL = /\u0000/;

/** Which part of a list is returned. */
export const pageFields = {
	limit: integer
		.min(1)
		.max(1000)
		.meta({ description: "At most this many; default 100" })
		.optional(),
	offset: integer.min(0).meta({ description: "Skip this many; default 0" }).optional(),
};

export const searchSchema = z
	.string()
	.max(200)
	.refine((text) => !NUL.test(text), "search must not contain NUL");
