import type { ReactNode } from "react";
import { ChevronsIcon, CloseIcon } from "../../ui/icons";
import type { Option } from "../../ui/OptionList";
import { Popover } from "../../ui/Popover";

type FilterPickerProps = {
	/** What is chosen, such as "Tenant". */
	label: string;
	/** The name of the chosen option. `null` if none is chosen. */
	chosen: string | null;
	/** What the button says if none is chosen. @default "Any" */
	none?: string;
	hint?: string;
	onChoose: (option: Option) => void;
	onClear: () => void;
	/** The list of options. It calls the function with the option that the user chooses. */
	children: (onChoose: (option: Option) => void) => ReactNode;
};

/** A filter, or a field of a form, whose value is found by name. */
export function FilterPicker(props: FilterPickerProps) {
	const { label, chosen, none = "Any", hint, onChoose, onClear, children } = props;
	return (
		<div className="field">
			<div className="field-head">
				<span className="picker-label">{label}</span>
			</div>
			<div className="picker">
				<Popover
					kind="dialog"
					className="control picker-button"
					panelClassName="popover-options"
					button={
						<>
							<span className="visually-hidden">{label}: </span>
							<span className="switcher-name">{chosen ?? none}</span>
							{chosen === null && <ChevronsIcon />}
						</>
					}
				>
					{(close) =>
						children((option) => {
							close();
							onChoose(option);
						})
					}
				</Popover>
				{chosen !== null && (
					<button
						type="button"
						className="control-button"
						aria-label={`Clear the filter ${label}`}
						onClick={onClear}
					>
						<CloseIcon />
					</button>
				)}
			</div>
			{hint && <p className="field-hint">{hint}</p>}
		</div>
	);
}
