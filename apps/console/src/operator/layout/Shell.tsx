import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { NavLink, Outlet, useLocation } from "react-router";
import { Button } from "../../ui/Button";
import { ThemeToggle } from "../../ui/ThemeToggle";
import { getInfo, infoKey } from "../api/service";
import { leave, type Operator } from "../session/operator";
import { BrandMark } from "./BrandMark";

/** What stands around every page. */
export function Shell({ operator }: { operator: Operator }) {
	const main = useRef<HTMLElement>(null);
	const queries = useQueryClient();
	const { data: info } = useQuery({ queryKey: infoKey, queryFn: getInfo });
	useFocusOfNewPage(main);
	const pages = [
		{ to: "/", title: "Overview", end: true },
		{ to: "/tenants", title: "Tenants" },
		{ to: "/audit", title: "Audit log" },
		...(info?.outbox ? [{ to: "/outbox", title: "Outbox" }] : []),
	];
	return (
		<div className="shell">
			<a className="skip-link" href="#main">
				Skip to the content
			</a>
			<header className="shell-bar">
				<div className="shell-brand">
					<BrandMark />
					<span>Console</span>
				</div>
				<nav className="shell-nav" aria-label="Console">
					{pages.map(({ to, title, end }) => (
						<NavLink key={to} to={to} end={end ?? false} className="shell-link">
							{title}
						</NavLink>
					))}
				</nav>
				<div className="shell-who">
					<span className="muted small shell-name">
						{operator.kind === "administrator" ? operator.email : "With a management key"}
					</span>
					<ThemeToggle />
					<Button size="small" onClick={() => void leave(queries, operator)}>
						Sign out
					</Button>
				</div>
			</header>
			<main id="main" ref={main} tabIndex={-1} className="shell-main">
				<Outlet />
			</main>
		</div>
	);
}

/** A screen reader hears the new page; a search in the same one keeps the focus where it is. */
function useFocusOfNewPage(main: React.RefObject<HTMLElement | null>): void {
	const { pathname } = useLocation();
	const last = useRef(pathname);
	useEffect(() => {
		if (last.current === pathname) return;
		last.current = pathname;
		window.scrollTo(0, 0);
		main.current?.focus({ preventScroll: true });
	}, [pathname, main]);
}
