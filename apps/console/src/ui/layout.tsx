import { type ReactNode, useEffect, useId, useRef } from "react";
import { NavLink, useLocation } from "react-router";

type CardProps = {
	title?: ReactNode;
	hint?: ReactNode;
	/** Next to the title. */
	actions?: ReactNode;
	children?: ReactNode;
};

export function Card({ title, hint, actions, children }: CardProps) {
	const id = useId();
	return (
		<section className="card" aria-labelledby={title ? id : undefined}>
			{(title || actions) && (
				<header className="card-head">
					<div>
						{title && <h2 id={id}>{title}</h2>}
						{hint && <p className="muted small">{hint}</p>}
					</div>
					{actions && <div className="row">{actions}</div>}
				</header>
			)}
			{children}
		</section>
	);
}

export type PageHeaderProps = {
	title: string;
	hint?: ReactNode;
	actions?: ReactNode;
	/** Moves the focus to the heading after a navigation, so that screen readers announce the page. */
	focus?: boolean;
};

export function PageHeader({ title, hint, actions, focus = true }: PageHeaderProps) {
	const heading = useRef<HTMLHeadingElement>(null);
	const { key } = useLocation();
	useEffect(() => {
		// "default" is the first page after a load. The browser announces it by itself.
		if (!focus || key === "default") return;
		// A field that the user fills in first has taken the focus.
		if (document.activeElement instanceof HTMLInputElement) return;
		heading.current?.focus({ preventScroll: true });
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

type TabsProps = { label: string; tabs: { to: string; title: string; end?: boolean }[] };

/** Each tab has its own URL, so links and the back button work. */
export function Tabs({ label, tabs }: TabsProps) {
	return (
		<nav className="tabs" aria-label={label}>
			{tabs.map(({ to, title, end }) => (
				<NavLink key={to} to={to} end={end ?? false} className="tab">
					{title}
				</NavLink>
			))}
		</nav>
	);
}
