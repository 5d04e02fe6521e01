import { useEffect, useId, useRef, useState } from "react";
import { formatCount } from "../format";
import { Button } from "./Button";
import { SearchIcon } from "./icons";
import { useUiTexts } from "./texts";

type PagerProps = {
	/** The number of items on earlier pages. */
	offset: number;
	/** The number of items on this page. `undefined` while it loads. */
	count: number | undefined;
	/** `undefined` while it is not known. */
	total: number | undefined;
	/** Missing on the first page. */
	onPrevious: (() => void) | undefined;
	/** Missing on the last page. */
	onNext: (() => void) | undefined;
	/** What is counted, in the plural. */
	what: string;
};

export function Pager({ offset, count, total, onPrevious, onNext, what }: PagerProps) {
	const texts = useUiTexts();
	if (count === 0 && !onPrevious) return null;
	return (
		<nav className="pager" aria-label={texts.pagesOf(what)}>
			<p className="muted small" aria-live="polite">
				{count === undefined ? texts.loading : describeRange()} {what}
			</p>
			{(onPrevious || onNext) && (
				<div className="row">
					<Button
						size="small"
						unavailable={onPrevious ? null : texts.isFirstPage}
						onClick={onPrevious}
					>
						{texts.previous}
					</Button>
					<Button size="small" unavailable={onNext ? null : texts.isLastPage} onClick={onNext}>
						{texts.next}
					</Button>
				</div>
			)}
		</nav>
	);

	function describeRange(): string {
		const last = offset + (count ?? 0);
		const range = count ? `${formatCount(offset + 1)}–${formatCount(last)}` : "0";
		if (total === undefined) return range;
		// Items may have been added since they were counted.
		return texts.rangeOf(range, formatCount(Math.max(total, count ? last : 0)));
	}
}

type SearchBoxProps = {
	label: string;
	/** The current search. */
	value: string;
	/** Called when the user stops typing. */
	onSearch: (value: string) => void;
	placeholder?: string;
	/** Shows the label above the box. */
	labeled?: boolean;
};

const TYPING_PAUSE_MS = 250;

export function SearchBox({ label, value, onSearch, placeholder, labeled }: SearchBoxProps) {
	const id = useId();
	const [typed, setTyped] = useState(value);
	const search = useRef(onSearch);
	search.current = onSearch;

	// The search can also change from outside, for example with the back button.
	useEffect(() => setTyped(value), [value]);

	useEffect(() => {
		if (typed === value) return;
		const timer = setTimeout(() => search.current(typed), TYPING_PAUSE_MS);
		return () => clearTimeout(timer);
	}, [typed, value]);

	return (
		<search className="search">
			<label className={labeled ? "search-label" : "visually-hidden"} htmlFor={id}>
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
