import type { ReactNode } from "react";
import { ChevronsIcon, CloseIcon } from "../../ui/icons";
import type { Option } from "../../ui/OptionList";
import { Popover } from "../../ui/Popover";

type FilterPickerProps = {
	/** What is filtered, such as "Tenant". */
	label: string;
	/** The name of the chosen option. `null` if none is chosen. */
	chosen: string | null;
	onChoose: (id: string) => void;
	onClear: () => void;
	/** The list of options. It calls the function with the option that the user chooses. */
	children: (onChoose: (option: Option) => void) => ReactNode;
};

/** A filter whose value is found by name. */
export function FilterPicker(props: FilterPickerProps) {
	const { label, chosen, onChoose, onClear, children } = props;
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
							<span className="switcher-name">{chosen ?? "Any"}</span>
							{chosen === null && <ChevronsIcon />}
						</>
					}
				>
					{(close) =>
						children(({ id }) => {
							close();
							onChoose(id);
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
		</div>
	);
}
