import { useId } from "react";

type SwitchProps = {
	label: string;
	hint?: string;
	checked: boolean;
	onChange: (checked: boolean) => void;
	disabled?: boolean;
	/** For a switch whose label stands beside it already. */
	hideLabel?: boolean;
};

export function Switch({ label, hint, checked, onChange, disabled, hideLabel }: SwitchProps) {
	const id = useId();
	return (
		<div className="switch">
			<button
				type="button"
				role="switch"
				className="switch-control"
				aria-checked={checked}
				aria-labelledby={`${id}-label`}
				aria-describedby={hint ? `${id}-hint` : undefined}
				disabled={disabled}
				onClick={() => onChange(!checked)}
			/>
			<span className={hideLabel ? "visually-hidden" : "switch-text"}>
				<span id={`${id}-label`}>{label}</span>
				{hint && (
					<span className="field-hint" id={`${id}-hint`}>
						{hint}
					</span>
				)}
			</span>
		</div>
	);
}
