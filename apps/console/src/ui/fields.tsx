import {
	type FormHTMLAttributes,
	type InputHTMLAttributes,
	type ReactNode,
	type SelectHTMLAttributes,
	type TextareaHTMLAttributes,
	useEffect,
	useId,
	useRef,
	useState,
} from "react";
import { EyeIcon, EyeOffIcon } from "./icons";
import { useUiTexts } from "./texts";

type FormProps = Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> & {
	onSubmit: () => void;
	/** Shows the values to somebody who may not change them. */
	readOnly?: boolean;
};

/** A form that calls `onSubmit` and stays on the page. */
export function Form({ onSubmit, readOnly = false, children, ...form }: FormProps) {
	return (
		<form
			className="stack"
			{...form}
			onSubmit={(event) => {
				event.preventDefault();
				if (!readOnly) onSubmit();
			}}
		>
			{readOnly ? (
				<fieldset className="stack" disabled>
					{children}
				</fieldset>
			) : (
				children
			)}
		</form>
	);
}

type FieldProps = {
	label: string;
	hint?: ReactNode;
	/** Shown under the control. */
	error?: ReactNode;
	/** Next to the label, such as a link. */
	aside?: ReactNode;
	/** Below the hint. It changes while the user types. */
	status?: ReactNode;
};

type ControlProps = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

/** Label, hint and error around any control, linked to it for screen readers. */
export function Field(props: FieldProps & { children: (control: ControlProps) => ReactNode }) {
	const { label, hint, error, aside, status, children } = props;
	const id = useId();
	const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
	return (
		<div className="field">
			<div className="field-head">
				<label htmlFor={id}>{label}</label>
				{aside}
			</div>
			{children({
				id,
				...(describedBy ? { "aria-describedby": describedBy } : {}),
				...(error ? { "aria-invalid": true } : {}),
			})}
			{hint && (
				<p className="field-hint" id={`${id}-hint`}>
					{hint}
				</p>
			)}
			{status}
			{error && <FieldError id={`${id}-error`}>{error}</FieldError>}
		</div>
	);
}

/** If it appears while somebody types, it must not be below the end of the page or of a dialog. */
function FieldError({ id, children }: { id: string; children: ReactNode }) {
	const ref = useRef<HTMLParagraphElement>(null);
	useEffect(() => {
		const isTyping = ref.current?.parentElement?.contains(document.activeElement);
		if (isTyping) ref.current?.scrollIntoView({ block: "nearest" });
	}, []);
	return (
		<p className="field-error" id={id} ref={ref}>
			{children}
		</p>
	);
}

type Value = { value: string; onValueChange: (value: string) => void };
type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange"> & Value;

type TextFieldProps = Omit<FieldProps, "status"> & InputProps;

export function TextField(props: TextFieldProps) {
	const { label, hint, error, aside, onValueChange, ...input } = props;
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<input
					type="text"
					{...input}
					{...control}
					className="control"
					onChange={(event) => onValueChange(event.target.value)}
				/>
			)}
		</Field>
	);
}

type EmailFieldProps = Value & {
	error?: ReactNode;
	autoComplete?: "username" | "username webauthn" | "email";
	autoFocus?: boolean;
};

/** The email of a user. Password managers know it as the user name. */
export function EmailField({ autoComplete = "username", ...field }: EmailFieldProps) {
	const texts = useUiTexts();
	return (
		<TextField
			label={texts.email}
			type="email"
			name="email"
			autoComplete={autoComplete}
			required
			{...field}
		/>
	);
}

/** A password or a secret, hidden until the user chooses to show it. */
export function PasswordField(props: Omit<FieldProps & InputProps, "type">) {
	const { label, hint, error, aside, status, onValueChange, ...input } = props;
	const [isShown, setShown] = useState(false);
	const texts = useUiTexts();
	return (
		<Field label={label} hint={hint} error={error} aside={aside} status={status}>
			{(control) => (
				<div className="control-with-button">
					<input
						autoCapitalize="none"
						spellCheck={false}
						{...input}
						{...control}
						type={isShown ? "text" : "password"}
						className="control"
						onChange={(event) => onValueChange(event.target.value)}
					/>
					<button
						type="button"
						className="control-button"
						aria-label={isShown ? texts.hide(label) : texts.show(label)}
						aria-pressed={isShown}
						onClick={() => setShown(!isShown)}
					>
						{isShown ? <EyeOffIcon /> : <EyeIcon />}
					</button>
				</div>
			)}
		</Field>
	);
}

type CodeAreaProps = FieldProps &
	Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange"> &
	Value;

/** Several lines of JSON or other code. */
export function CodeArea({ label, hint, error, aside, onValueChange, ...area }: CodeAreaProps) {
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<textarea
					spellCheck={false}
					autoCapitalize="none"
					wrap="off"
					{...area}
					{...control}
					className="control control-area control-code"
					onChange={(event) => onValueChange(event.target.value)}
				/>
			)}
		</Field>
	);
}

type SelectProps = FieldProps &
	Omit<SelectHTMLAttributes<HTMLSelectElement>, "value" | "onChange"> &
	Value & { options: { value: string; label: string }[] };

export function Select(props: SelectProps) {
	const { label, hint, error, aside, options, onValueChange, ...select } = props;
	return (
		<Field label={label} hint={hint} error={error} aside={aside}>
			{(control) => (
				<select
					{...select}
					{...control}
					className="control control-select"
					onChange={(event) => onValueChange(event.target.value)}
				>
					{options.map((option) => (
						<option key={option.value} value={option.value}>
							{option.label}
						</option>
					))}
				</select>
			)}
		</Field>
	);
}
