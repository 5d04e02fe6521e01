import type { ReactNode } from "react";

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode };

/** What stands where a list has nothing to show, and what one can do about it. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
	return (
		<div className="state">
			<h3>{title}</h3>
			{children && <p className="muted">{children}</p>}
			{action}
		</div>
	);
}
