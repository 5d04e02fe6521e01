import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { SearchIcon } from "./icons";
import { nextIndex } from "./Menu";

export type Option = {
	id: string;
	/** What the option is called. */
	text: string;
	/** Smaller, after the text. */
	hint?: string | undefined;
	icon?: ReactNode;
};

type OptionGroup = { title: string; options: Option[] };

type OptionListProps = {
	/** The name of the search box. */
	label: string;
	search: string;
	onSearch: (search: string) => void;
	groups: OptionGroup[];
	isLoading?: boolean;
	/** Shown if nothing was found. */
	empty: string;
	onChoose: (option: Option) => void;
};

/** A search box with a list below it. The arrow keys move in the list while the focus stays in the box. */
export function OptionList(props: OptionListProps) {
	const { label, search, onSearch, groups, isLoading, empty, onChoose } = props;
	const id = useId();
	const input = useRef<HTMLInputElement>(null);
	const [wanted, setWanted] = useState(0);
	const options = groups.flatMap((group) => group.options);
	const active = Math.min(wanted, options.length - 1);
	const optionId = (option: Option | undefined) => (option ? `${id}-${option.id}` : undefined);
	const activeId = optionId(options[active]);

	useEffect(() => input.current?.focus(), []);
	useEffect(() => {
		if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
	}, [activeId]);

	const onKeyDown = (event: KeyboardEvent) => {
		const option = options[active];
		if (event.key === "Enter") {
			// The list may be in a form, which Enter would send.
			event.preventDefault();
			if (option) onChoose(option);
			return;
		}
		// Home and End move in the text.
		const next = event.key.startsWith("Arrow")
			? nextIndex(event.key, active, options.length)
			: null;
		if (next === null) return;
		event.preventDefault();
		setWanted(next);
	};
	return (
		<div className="options">
			<div className="options-search">
				<SearchIcon />
				<input
					ref={input}
					type="text"
					role="combobox"
					aria-label={label}
					aria-expanded="true"
					aria-autocomplete="list"
					aria-controls={`${id}-list`}
					aria-activedescendant={activeId}
					placeholder={label}
					autoComplete="off"
					spellCheck={false}
					value={search}
					onChange={(event) => {
						setWanted(0);
						onSearch(event.target.value);
					}}
					onKeyDown={onKeyDown}
				/>
				{isLoading && <span className="spinner" aria-hidden="true" />}
			</div>
			<div
				id={`${id}-list`}
				role="listbox"
				aria-label={label}
				className="options-list"
				tabIndex={-1}
			>
				{groups
					.filter((group) => group.options.length > 0)
					.map((group) => (
						// biome-ignore lint/a11y/useSemanticElements: A listbox has groups.
						<div key={group.title} role="group" aria-label={group.title || label}>
							{group.title && (
								<div className="options-title" aria-hidden="true">
									{group.title}
								</div>
							)}
							{group.options.map((option) => (
								// biome-ignore lint/a11y/useKeyWithClickEvents: The search box has the focus and the keys.
								<div
									key={option.id}
									id={optionId(option)}
									role="option"
									tabIndex={-1}
									aria-selected={option === options[active]}
									className="option"
									onMouseMove={() => setWanted(options.indexOf(option))}
									onClick={() => onChoose(option)}
								>
									{option.icon}
									<span className="option-text">{option.text}</span>
									{option.hint && <span className="option-hint muted small">{option.hint}</span>}
								</div>
							))}
						</div>
					))}
			</div>
			<p className="options-empty muted small" role="status">
				{options.length === 0 && !isLoading ? empty : ""}
			</p>
		</div>
	);
}
