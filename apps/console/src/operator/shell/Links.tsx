import { NavLink } from "react-router";
import type { NavPage } from "./pages";

/** Links to pages, with the current one marked. */
export function Links({ pages }: { pages: NavPage[] }) {
	return (
		<ul className="shell-links">
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
