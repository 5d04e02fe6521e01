import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { MAX_TEXT_LENGTH, type SignUpField } from "../../api/sign-up-fields";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { CodeArea, Form, Select, TextField } from "../../ui/fields";
import { PlusIcon } from "../../ui/icons";
import { Card } from "../../ui/layout";
import { Checkbox } from "../../ui/Switch";
import { useApi } from "../api/context";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { whyNotSaved } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";
import {
	type FieldValues,
	findFieldProblems,
	MAX_FIELDS,
	NAME_PATTERN,
	nameFor,
	newField,
	toFields,
	toFieldValues,
} from "./sign-up-fields-form";

const HINT =
	"What the sign-up form asks for besides name, email and password. Users who come through a provider, a directory or an import are not asked.";

/** The fields that the tenant adds to its sign-up form. */
export function SignUpFieldsForm({ fields }: { fields: SignUpField[] }) {
	const tenant = useTenant();
	const { signUpFieldsQuery, setSignUpFields } = useApi();
	const mayUpdate = useMayInTenant()("policy:update");
	const [values, setValues] = useState(() => toFieldValues(fields));
	const problems = findFieldProblems(values);
	const save = useApiMutation({
		mutationFn: () => setSignUpFields(tenant.id, toFields(values)),
		successMessage: "Fields saved.",
		invalidate: [signUpFieldsQuery(tenant.id).queryKey],
	});
	const isChanged =
		JSON.stringify(toFields(values)) !== JSON.stringify(toFields(toFieldValues(fields)));
	const isValid = problems.every(({ name, choices }) => !name && !choices);
	const reason = whyNotSaved(isChanged, isValid);
	useUnsavedChanges(isChanged && !save.isPending);
	const change = (key: number, changes: Partial<FieldValues>) =>
		setValues((all) => all.map((it) => (it.key === key ? { ...it, ...changes } : it)));
	const moveUp = (index: number) =>
		setValues((all) => {
			const moved = all.slice(index - 1, index + 1).reverse();
			return [...all.slice(0, index - 1), ...moved, ...all.slice(index + 1)];
		});
	return (
		<Form
			readOnly={!mayUpdate}
			autoComplete="off"
			onSubmit={() => reason === null && !save.isPending && save.mutate()}
		>
			<Card title="Fields at sign-up" hint={HINT}>
				{values.length === 0 && <p className="muted">The form has no other fields.</p>}
				<div className="columns">
					{values.map((field, index) => (
						<FieldEditor
							key={field.key}
							title={`Field ${index + 1}`}
							field={field}
							problems={problems[index] ?? {}}
							onChange={(changes) => change(field.key, changes)}
							onMoveUp={index > 0 ? () => moveUp(index) : null}
							onRemove={() => setValues(values.filter(({ key }) => key !== field.key))}
						/>
					))}
				</div>
				{save.error && <Notice kind="danger">{save.error.message}</Notice>}
				{mayUpdate && (
					<footer className="row">
						<Button
							icon={<PlusIcon />}
							unavailable={
								values.length < MAX_FIELDS ? null : `A form has at most ${MAX_FIELDS} fields.`
							}
							onClick={() => setValues([...values, newField(values)])}
						>
							Add a field
						</Button>
						<Button kind="primary" type="submit" busy={save.isPending} unavailable={reason}>
							Save fields
						</Button>
					</footer>
				)}
			</Card>
		</Form>
	);
}

const TYPES: Record<FieldValues["type"], string> = {
	text: "Text",
	choice: "One of several choices",
	checkbox: "Checkbox",
};

type FieldEditorProps = {
	title: string;
	field: FieldValues;
	problems: ReturnType<typeof findFieldProblems>[number];
	onChange: (changes: Partial<FieldValues>) => void;
	/** `null` for the first. */
	onMoveUp: (() => void) | null;
	onRemove: () => void;
};

function FieldEditor(props: FieldEditorProps) {
	const { title, field, problems, onChange, onMoveUp, onRemove } = props;
	// A name that somebody has chosen stays.
	const followsLabel = field.name === nameFor(field.label);
	return (
		<fieldset className="choices">
			<legend>{title}</legend>
			<TextField
				label="Label"
				hint="What the form says, in the language of your users."
				required
				pattern=".*\S.*"
				maxLength={MAX_TEXT_LENGTH}
				value={field.label}
				onValueChange={(label) =>
					onChange({ label, ...(followsLabel ? { name: nameFor(label) } : {}) })
				}
			/>
			<TextField
				label="Name"
				hint="The answer is in the metadata of the user, under signUp, with this name."
				required
				pattern={NAME_PATTERN}
				title="At most 40 letters, digits, _ and -, starting with a letter"
				spellCheck={false}
				autoCapitalize="none"
				value={field.name}
				onValueChange={(name) => onChange({ name })}
				error={problems.name}
			/>
			<Select
				label="Type"
				options={Object.entries(TYPES).map(([value, label]) => ({ value, label }))}
				value={field.type}
				onValueChange={(type) => onChange({ type: type as FieldValues["type"] })}
			/>
			{field.type === "choice" && (
				<CodeArea
					label="Choices"
					hint="One per line."
					rows={4}
					value={field.choices}
					onValueChange={(choices) => onChange({ choices })}
					error={problems.choices}
				/>
			)}
			<Checkbox
				label={field.type === "checkbox" ? "Must be checked" : "Required"}
				checked={field.required}
				onCheckedChange={(required) => onChange({ required })}
			/>
			<div className="row">
				{onMoveUp && (
					<Button size="small" aria-label={`Move up ${title.toLowerCase()}`} onClick={onMoveUp}>
						Move up
					</Button>
				)}
				<Button size="small" aria-label={`Remove ${title.toLowerCase()}`} onClick={onRemove}>
					Remove
				</Button>
			</div>
		</fieldset>
	);
}
