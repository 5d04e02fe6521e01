import { Select } from "../../ui/Select";
import { Switch } from "../../ui/Switch";
import { TextField } from "../../ui/TextField";
import type { OptionField } from "./provider-options";

type OptionInputProps = { field: OptionField; value: string; onChange: (value: string) => void };

/** One of a provider's own settings. */
export function OptionInput({ field, value, onChange }: OptionInputProps) {
	const { label, kind, hint, required } = field;
	if (kind === "flag") {
		return (
			<Switch
				label={label}
				checked={value === "true"}
				onChange={(on) => onChange(on ? "true" : "")}
			/>
		);
	}
	if (kind === "choice") {
		const choices = field.choices?.map((choice) => ({ value: choice, label: choice })) ?? [];
		return (
			<Select
				label={label}
				options={[{ value: "", label: "As the provider does by itself" }, ...choices]}
				value={value}
				onChange={(event) => onChange(event.target.value)}
			/>
		);
	}
	return (
		<TextField
			label={label}
			hint={hint}
			inputMode={kind === "number" ? "numeric" : "text"}
			value={value}
			onChange={(event) => onChange(event.target.value)}
			autoComplete="off"
			spellCheck={false}
			required={required ?? false}
		/>
	);
}
