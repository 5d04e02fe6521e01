import { MAX_TEXT_LENGTH, type SignUpField } from "../../api/sign-up-fields";

export const MAX_FIELDS = 8;
const MAX_CHOICES = 50;

/** A field as a form has it. */
export type FieldValues = {
	/** Stays while the name changes. */
	key: number;
	name: string;
	label: string;
	type: SignUpField["type"];
	required: boolean;
	/** One per line. */
	choices: string;
};

export const NAME_PATTERN = "[A-Za-z][A-Za-z0-9_\\-]{0,39}";

export const toFieldValues = (fields: SignUpField[]): FieldValues[] =>
	fields.map((field, key) => ({
		key,
		name: field.name,
		label: field.label,
		type: field.type,
		required: field.required,
		choices: field.type === "choice" ? field.choices.join("\n") : "",
	}));

export const newField = (values: FieldValues[]): FieldValues => ({
	key: Math.max(-1, ...values.map(({ key }) => key)) + 1,
	...{ name: "", label: "", type: "text", required: false, choices: "" },
});

const choicesIn = (text: string) =>
	text
		.split("\n")
		.map((line) => line.trim())
		.filter(Boolean);

export const toFields = (values: FieldValues[]): SignUpField[] =>
	values.map(({ name, label, type, required, choices }) => {
		const common = { name: name.trim(), label: label.trim(), required };
		return type === "choice"
			? { ...common, type, choices: choicesIn(choices) }
			: { ...common, type };
	});

/** A name for a field with this label: `company` for "Company". */
export const nameFor = (label: string): string =>
	label
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z\d]+/g, "_")
		.replace(/^[^a-z]+|_+$/g, "")
		.slice(0, 40);

type FieldProblems = { name?: string; choices?: string };

/** What the service would reject, for each field. The browser checks the rest. */
export function findFieldProblems(values: FieldValues[]): FieldProblems[] {
	const fields = toFields(values);
	return fields.map((field, index) => {
		const problems: FieldProblems = {};
		const isTaken = fields.some(({ name }, other) => other < index && name === field.name);
		if (isTaken && field.name) problems.name = "Another field has this name.";
		if (field.type !== "choice") return problems;
		const { choices } = field;
		if (choices.length === 0) problems.choices = "Enter at least one choice.";
		if (choices.length > MAX_CHOICES) problems.choices = `Enter at most ${MAX_CHOICES} choices.`;
		if (new Set(choices).size < choices.length) problems.choices = "Two choices are the same.";
		if (choices.some((choice) => choice.length > MAX_TEXT_LENGTH)) {
			problems.choices = `A choice has at most ${MAX_TEXT_LENGTH} characters.`;
		}
		return problems;
	});
}
