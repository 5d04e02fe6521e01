import { NavLink } from "react-router";

type TabsProps = { label: string; tabs: { to: string; title: string; end?: boolean }[] };

/** Tabs that are addresses: each can be linked to, and going back works. */
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
