import { type ReactNode, useId } from "react";

export type FieldText = {
	label: string;
	hint?: ReactNode;
	/** Shown in place, under the control. */
	error?: ReactNode;
	/** Beside the label, such as a link. */
	aside?: ReactNode;
};

type ControlProps = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

/** Label, hint and error around any control, tied to it for screen readers. */
export function Field(props: FieldText & { children: (control: ControlProps) => ReactNode }) {
	const { label, hint, error, aside, children } = props;
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
			{error && (
				<p className="field-error" id={`${id}-error`}>
					{error}
				</p>
			)}
		</div>
	);
}
