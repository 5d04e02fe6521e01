import type { ReactNode } from "react";
import { CopyButton } from "../../ui/CopyButton";

export type Fact = {
	title: string;
	value: ReactNode;
	/** What the copy button copies. */
	copy?: string;
};

/** Names and values below one another. */
export function Facts({ facts }: { facts: Fact[] }) {
	return (
		<dl className="facts">
			{facts.map(({ title, value, copy }) => (
				<div key={title}>
					<dt>{title}</dt>
					<dd className="with-button">
						<span className="break">{value}</span>
						{copy !== undefined && <CopyButton value={copy} what={title.toLowerCase()} />}
					</dd>
				</div>
			))}
		</dl>
	);
}
