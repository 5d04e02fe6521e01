import { useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import type { NavPage } from "./pages";

/** Links to pages, with the current one marked. */
export function Links({ pages }: { pages: NavPage[] }) {
	const list = useRef<HTMLUListElement>(null);
	const { pathname } = useLocation();
	// biome-ignore lint/correctness/useExhaustiveDependencies: Another page has another link.
	useEffect(() => {
		// The navigation of a tenant is longer than most screens.
		list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: "nearest" });
	}, [pathname]);
	return (
		<ul ref={list} className="shell-links">
			{pages.map(({ to, title, icon, end }) => (
				<li key={to}>
					<NavLink to={to} end={end ?? false} className="shell-link">
						{icon}
						{title}
					</NavLink>
				</li>
			))}
		</ul>
	);
}
