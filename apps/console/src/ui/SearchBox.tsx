import { useEffect, useId, useRef, useState } from "react";
import { SearchIcon } from "./icons";

type SearchBoxProps = {
	label: string;
	/** The search that is in effect. */
	value: string;
	/** Told once the typing pauses. */
	onSearch: (value: string) => void;
	placeholder?: string;
	/** Shows the label above the box. */
	labelled?: boolean;
	/** In milliseconds. @default 250 */
	pause?: number;
};

export function SearchBox(props: SearchBoxProps) {
	const { label, value, onSearch, placeholder, labelled, pause = 250 } = props;
	const id = useId();
	const [typed, setTyped] = useState(value);
	const search = useRef(onSearch);
	search.current = onSearch;

	// A search that was changed from outside, as by going back.
	useEffect(() => setTyped(value), [value]);

	useEffect(() => {
		if (typed === value) return;
		const timer = setTimeout(() => search.current(typed), pause);
		return () => clearTimeout(timer);
	}, [typed, value, pause]);

	return (
		<search className="search">
			<label className={labelled ? "search-label" : "visually-hidden"} htmlFor={id}>
				{label}
			</label>
			<div className="search-control">
				<SearchIcon />
				<input
					id={id}
					type="search"
					className="control"
					placeholder={placeholder ?? label}
					value={typed}
					onChange={(event) => setTyped(event.target.value)}
					onKeyDown={(event) => event.key === "Enter" && onSearch(typed)}
				/>
			</div>
		</search>
	);
}
