import type { ReactNode } from "react";
import { CopyButton } from "../ui/Button";

export type Detail = {
	title: string;
	value: ReactNode;
	/** Adds a button that copies this text. */
	copy?: string;
};

export function DetailList({ details }: { details: Detail[] }) {
	return (
		<dl className="details">
			{details.map(({ title, value, copy }) => (
				<div key={title}>
					<dt>{title}</dt>
					<dd className="with-button">
						<span className="break">{value}</span>
						{copy !== undefined && <CopyButton value={copy} what={title} />}
					</dd>
				</div>
			))}
		</dl>
	);
}

/** Shows the start of an id. The tooltip has all of it, and so does a copy. */
export function Id({ children }: { children: string }) {
	return (
		<code className="id" title={children}>
			{children}
		</code>
	);
}

/** Date and time on one line. */
export function Time({ timestamp, dateOnly }: { timestamp: string; dateOnly?: boolean }) {
	return (
		<time className="time" dateTime={timestamp}>
			{dateOnly ? formatDate(timestamp) : formatTime(timestamp)}
		</time>
	);
}

const TIME = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
const DATE = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en", { month: "short", day: "numeric", timeZone: "UTC" });
const COUNT = new Intl.NumberFormat("en");

/** `Nov 15, 2026, 7:04 AM`, in the time zone of the browser. */
export const formatTime = (timestamp: string): string => TIME.format(new Date(timestamp));

const formatDate = (timestamp: string): string => DATE.format(new Date(timestamp));

/** `2026-11-15` becomes `Nov 15`. */
export const formatDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** `100,000`. */
export const formatCount = (count: number): string => COUNT.format(count);
