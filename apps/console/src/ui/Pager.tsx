import { Button } from "./Button";

type PagerProps = {
	offset: number;
	limit: number;
	/** How many there are in all; `undefined` while that is not known. */
	total: number | undefined;
	onOffset: (offset: number) => void;
	/** What is counted. @default "entries" */
	what?: string;
};

export function Pager({ offset, limit, total, onOffset, what = "entries" }: PagerProps) {
	if (total === undefined || total === 0) return null;
	const last = Math.min(offset + limit, total);
	const count = (value: number) => value.toLocaleString("en");
	return (
		<nav className="pager" aria-label={`Pages of ${what}`}>
			<p className="muted small" aria-live="polite">
				{count(Math.min(offset + 1, total))}–{count(last)} of {count(total)} {what}
			</p>
			{total > limit && (
				<div className="row">
					<Button
						size="small"
						disabled={offset === 0}
						onClick={() => onOffset(Math.max(0, offset - limit))}
					>
						Previous
					</Button>
					<Button size="small" disabled={last >= total} onClick={() => onOffset(offset + limit)}>
						Next
					</Button>
				</div>
			)}
		</nav>
	);
}
