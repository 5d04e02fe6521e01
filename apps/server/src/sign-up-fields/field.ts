import * as z from "zod";

const MAX_FIELDS = 8;
const MAX_CHOICES = 50;
const MAX_LABEL_LENGTH = 150;
/** MySQL stores at most 65,535 bytes of text. */
const MAX_BYTES = 60_000;

/** With this, the answers to all fields fit into the metadata of a user, in any script. */
export const MAX_ANSWER_LENGTH = 150;

/** Control characters, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/u;

export const isPrintable = (text: string): boolean => !UNPRINTABLE.test(text);

const line = (maxLength: number) =>
	z
		.string()
		.trim()
		.min(1)
		.max(maxLength)
		.refine(isPrintable, "must be one line, without control characters");

const common = {
	name: z
		.string()
		.regex(
			/^[a-z][\w-]{0,39}$/i,
			"has at most 40 letters, digits, _ and -, and starts with a letter",
		)
		.meta({ description: "The name of the answer in the metadata of the user" }),
	label: line(MAX_LABEL_LENGTH).meta({ description: "What the form says at the field" }),
	required: z
		.boolean()
		.default(false)
		.meta({ description: "Whether it must be filled in. A required checkbox must be checked." }),
};

const signUpField = z.discriminatedUnion("type", [
	z.strictObject({ ...common, type: z.literal("text").meta({ description: "One line of text" }) }),
	z.strictObject({ ...common, type: z.literal("checkbox").meta({ description: "Yes or no" }) }),
	z.strictObject({
		...common,
		type: z.literal("choice").meta({ description: "One of the choices" }),
		choices: z.array(line(MAX_ANSWER_LENGTH)).min(1).max(MAX_CHOICES).refine(areUnique, {
			error: "must differ",
		}),
	}),
]);

/** A field that a tenant adds to its form for a new account. */
export type SignUpField = z.output<typeof signUpField>;

/** In the order in which the form shows them. */
export const signUpFields = z
	.array(signUpField)
	.max(MAX_FIELDS)
	.refine((fields) => areUnique(fields.map(({ name }) => name)), "must have different names")
	.refine(
		(fields) => Buffer.byteLength(JSON.stringify(fields)) <= MAX_BYTES,
		`have at most ${MAX_BYTES} bytes as JSON`,
	)
	.meta({ description: "The fields, in the order in which the form shows them" });

export const listOfSignUpFields = z.object({ fields: signUpFields });

function areUnique(texts: string[]): boolean {
	return new Set(texts).size === texts.length;
}
