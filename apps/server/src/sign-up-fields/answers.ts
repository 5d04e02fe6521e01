import { APIError } from "better-auth/api";
import { SIGN_UP_ANSWERS } from "../openid-provider/user-metadata/user-metadata";
import { isPrintable, MAX_ANSWER_LENGTH, type SignUpField } from "./field";

export type Answers = Record<string, string | boolean>;

const PROBLEMS = {
	SIGN_UP_FIELD_UNKNOWN: "is not a field of this form",
	SIGN_UP_FIELD_REQUIRED: "is required",
	SIGN_UP_FIELD_INVALID: "does not have a value that this field can have",
	SIGN_UP_FIELD_TOO_LONG: `has at most ${MAX_ANSWER_LENGTH} characters`,
} as const;

function refusal(code: keyof typeof PROBLEMS, field: string): APIError {
	const message = `${JSON.stringify(field)} ${PROBLEMS[code]}`;
	return new APIError("BAD_REQUEST", { code, message, field });
}

/**
 * What a sign-up has in its `metadata`. A user writes nothing else into it.
 *
 * @throws APIError if it has more than the answers
 */
export function requireOnlyAnswers(metadata: unknown): unknown {
	const { [SIGN_UP_ANSWERS]: answers, ...others } = requireObject(metadata, "metadata");
	const [unknown] = Object.keys(others);
	if (unknown !== undefined) throw refusal("SIGN_UP_FIELD_UNKNOWN", `metadata.${unknown}`);
	return answers;
}

/**
 * The answers of a new user to the fields of the tenant. An empty answer is left out.
 *
 * @throws APIError with the `field` that is wrong
 */
export function requireAnswers(fields: readonly SignUpField[], given: unknown): Answers {
	const values = requireObject(given, `metadata.${SIGN_UP_ANSWERS}`);
	const unknown = Object.keys(values).find((name) => !fields.some((it) => it.name === name));
	if (unknown !== undefined) throw refusal("SIGN_UP_FIELD_UNKNOWN", unknown);
	const answers = fields.flatMap((field) => {
		const value = Object.hasOwn(values, field.name) ? values[field.name] : undefined;
		const answer = requireAnswer(field, value);
		const isMissing = answer === undefined || (field.required && answer === false);
		if (isMissing && field.required) throw refusal("SIGN_UP_FIELD_REQUIRED", field.name);
		return answer === undefined ? [] : [[field.name, answer] as const];
	});
	return Object.fromEntries(answers);
}

function requireObject(given: unknown, name: string): Record<string, unknown> {
	if (given === undefined || given === null) return {};
	if (typeof given === "object" && !Array.isArray(given)) return given as Record<string, unknown>;
	throw refusal("SIGN_UP_FIELD_INVALID", name);
}

function requireAnswer(field: SignUpField, value: unknown): string | boolean | undefined {
	if (value === undefined || value === null) return undefined;
	if (field.type === "checkbox") {
		if (typeof value === "boolean") return value;
		throw refusal("SIGN_UP_FIELD_INVALID", field.name);
	}
	if (typeof value !== "string") throw refusal("SIGN_UP_FIELD_INVALID", field.name);
	const text = value.trim();
	if (text === "") return undefined;
	if (text.length > MAX_ANSWER_LENGTH) throw refusal("SIGN_UP_FIELD_TOO_LONG", field.name);
	const isPossible = field.type === "choice" ? field.choices.includes(text) : isPrintable(text);
	if (!isPossible) throw refusal("SIGN_UP_FIELD_INVALID", field.name);
	return text;
}
