import { Fragment, type ReactNode } from "react";
import { formatDate, formatTime } from "../format";
import { CopyButton } from "../ui/Button";
import { Badge } from "../ui/feedback";

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

/** A URL that breaks before a part of its path if there is no room. */
export function Url({ children }: { children: string }) {
	return (
		<code className="break">
			{children.split(/(?<=[^/])(?=\/[^/])/).map((part, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: The parts of a URL have no other identity.
				<Fragment key={index}>
					{index > 0 && <wbr />}
					{part}
				</Fragment>
			))}
		</code>
	);
}

/** An email that breaks before its domain if there is no room. */
export function Email({ children }: { children: string }) {
	const at = children.lastIndexOf("@");
	return (
		<span className="break">
			{children.slice(0, at)}
			<wbr />
			{children.slice(at)}
		</span>
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

/** When a key or a token expires. */
export function Expiry({ expiresAt }: { expiresAt: string | null }) {
	if (!expiresAt) return <span className="muted">Never</span>;
	if (new Date(expiresAt) <= new Date()) return <Badge kind="danger">Expired</Badge>;
	return <Time timestamp={expiresAt} dateOnly />;
}
