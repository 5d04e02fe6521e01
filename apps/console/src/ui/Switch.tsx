import { useId } from "react";

type ToggleProps = {
	label: string;
	checked: boolean;
	onCheckedChange: (checked: boolean) => void;
};

type CheckboxProps = ToggleProps & {
	/** It must be checked. */
	required?: boolean;
};

type SwitchProps = ToggleProps & {
	/** Hides the label from sight, where the text around the switch explains it. */
	hideLabel?: boolean;
};

export function Switch({ label, checked, onCheckedChange, hideLabel }: SwitchProps) {
	const id = useId();
	return (
		<div className="switch">
			<button
				type="button"
				role="switch"
				className="switch-control"
				aria-checked={checked}
				aria-labelledby={id}
				onClick={() => onCheckedChange(!checked)}
			/>
			<span id={id} className={hideLabel ? "visually-hidden" : undefined}>
				{label}
			</span>
		</div>
	);
}

export function Checkbox({ label, checked, onCheckedChange, required }: CheckboxProps) {
	return (
		<label className="check">
			<input
				type="checkbox"
				required={required}
				checked={checked}
				onChange={(event) => onCheckedChange(event.target.checked)}
			/>
			{label}
		</label>
	);
}
