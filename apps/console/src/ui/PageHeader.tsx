import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "react-router";

type PageHeaderProps = { title: string; hint?: ReactNode; actions?: ReactNode; focus?: boolean };

/**
 * Names the page: on screen, in the tab, and to a screen reader, which after a change of the address
 * hears the new heading.
 */
export function PageHeader({ title, hint, actions, focus = true }: PageHeaderProps) {
	const heading = useRef<HTMLHeadingElement>(null);
	const { key } = useLocation();
	useEffect(() => {
		// "default" is the first page of the visit, which the browser announces by itself.
		if (focus && key !== "default") heading.current?.focus({ preventScroll: true });
	}, [key, focus]);
	return (
		<header className="page-head">
			<div>
				<h1 ref={heading} tabIndex={-1}>
					{title}
				</h1>
				{hint && <p className="muted">{hint}</p>}
			</div>
			{actions && <div className="row">{actions}</div>}
		</header>
	);
}
