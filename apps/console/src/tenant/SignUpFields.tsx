import { MAX_TEXT_LENGTH, type SignUpField } from "../api/sign-up-fields";
import { useTexts } from "../sign-in/texts/texts";
import { Select, TextField } from "../ui/fields";
import { Checkbox } from "../ui/Switch";

/** By the name of the field. A field that nobody has touched has none. */
export type Answers = Record<string, string | boolean>;

type SignUpFieldsProps = {
	fields: SignUpField[];
	answers: Answers;
	onChange: (answers: Answers) => void;
};

/** The fields that the tenant adds to the form, in its order. */
export function SignUpFields({ fields, answers, onChange }: SignUpFieldsProps) {
	return fields.map((field) => (
		<AskedField
			key={field.name}
			field={field}
			answer={answers[field.name]}
			onChange={(answer) => onChange({ ...answers, [field.name]: answer })}
		/>
	));
}

type AskedFieldProps = {
	field: SignUpField;
	answer: string | boolean | undefined;
	onChange: (answer: string | boolean) => void;
};

function AskedField({ field, answer, onChange }: AskedFieldProps) {
	const { signUp: texts } = useTexts();
	const { name, label, required } = field;
	if (field.type === "checkbox") {
		return (
			<Checkbox
				label={label}
				required={required}
				checked={answer === true}
				onCheckedChange={onChange}
			/>
		);
	}
	const control = {
		label,
		name,
		required,
		aside: required ? undefined : <span className="muted small">{texts.optional}</span>,
		value: typeof answer === "string" ? answer : "",
		onValueChange: onChange,
	};
	if (field.type === "choice") {
		const choices = field.choices.map((choice) => ({ value: choice, label: choice }));
		return <Select {...control} options={[{ value: "", label: texts.choose }, ...choices]} />;
	}
	// Not only spaces.
	return <TextField {...control} pattern=".*\S.*" maxLength={MAX_TEXT_LENGTH} />;
}

/** What the server gets: only answers to fields that are asked for now. */
export function answersTo(fields: SignUpField[], answers: Answers): Answers {
	const given = fields.flatMap(({ name, type }) => {
		const answer = answers[name] ?? (type === "checkbox" ? false : "");
		const isOfType = typeof answer === (type === "checkbox" ? "boolean" : "string");
		return answer === "" || !isOfType ? [] : [[name, answer] as const];
	});
	return Object.fromEntries(given);
}
