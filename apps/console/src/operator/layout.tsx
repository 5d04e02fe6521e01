import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, NavLink, Outlet, useLocation } from "react-router";
import { Button } from "../ui/Button";
import { EmptyState, ErrorState, Skeleton } from "../ui/feedback";
import { ThemeToggle } from "../ui/theme";
import { serviceInfoQuery } from "./api/service";
import { mayOperator, type Operator, signOut, useOperator } from "./session/operator";
import { ConsoleIcon, SignInPage } from "./session/SignInPage";

/** Shows the console to operators and the sign-in page to everyone else. */
export function OperatorGate() {
	const { data: operator, error, refetch } = useOperator();
	if (!operator && error) {
		return (
			<main className="gate">
				<ErrorState error={error} onRetry={refetch} />
			</main>
		);
	}
	if (!operator) {
		return (
			<main className="gate" aria-busy="true" aria-label="Loading">
				<Skeleton kind="block" />
			</main>
		);
	}
	if (operator.kind === "key" || operator.kind === "admin") return <Shell operator={operator} />;
	return <SignInPage operator={operator} />;
}

function Shell({ operator }: { operator: Operator }) {
	const queryClient = useQueryClient();
	const { data: info } = useQuery(serviceInfoQuery);
	const main = useFocusAfterNavigation();
	const pages = [
		{ to: "/", title: "Overview", end: true },
		{ to: "/tenants", title: "Tenants" },
		...(mayOperator(operator, "audit:list") ? [{ to: "/audit", title: "Audit log" }] : []),
		...(mayOperator(operator, "operator:list") ? [{ to: "/operators", title: "Operators" }] : []),
		...(mayOperator(operator, "key:list") ? [{ to: "/keys", title: "Keys" }] : []),
		...(info?.outbox && mayOperator(operator, "service:outbox")
			? [{ to: "/outbox", title: "Outbox" }]
			: []),
	];
	return (
		<div className="shell">
			<a className="skip-link" href="#main">
				Skip to content
			</a>
			<header className="shell-bar">
				<div className="shell-brand">
					<ConsoleIcon />
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
						{"name" in operator && (operator.kind === "admin" ? operator.email : operator.name)}
					</span>
					<ThemeToggle />
					<Button size="small" onClick={() => void signOut(queryClient)}>
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

/** Screen readers announce a new page. A search on the same page keeps the focus where it is. */
function useFocusAfterNavigation() {
	const main = useRef<HTMLElement>(null);
	const { pathname } = useLocation();
	const lastPathname = useRef(pathname);
	useEffect(() => {
		if (lastPathname.current === pathname) return;
		lastPathname.current = pathname;
		window.scrollTo(0, 0);
		main.current?.focus({ preventScroll: true });
	}, [pathname]);
	return main;
}

export function BackLink({ to, children }: { to: string; children: ReactNode }) {
	return (
		<Link to={to} className="back-link">
			<span aria-hidden="true">←</span> {children}
		</Link>
	);
}

type ActionItemProps = { title: string; hint: string; error?: Error | null; children: ReactNode };

/** An action with an explanation. The children are its button and its dialog. */
export function ActionItem({ title, hint, error, children }: ActionItemProps) {
	return (
		<li>
			<div className="grow">
				<h3>{title}</h3>
				<p className="muted small">{hint}</p>
				{error && (
					<p className="field-error" role="alert">
						{error.message}
					</p>
				)}
			</div>
			{children}
		</li>
	);
}

export function NotFoundPage() {
	return (
		<>
			<title>Page not found · Console</title>
			<h1 className="visually-hidden">Page not found</h1>
			<EmptyState
				title="This page does not exist"
				action={<Link to="/tenants">Go to tenants</Link>}
			/>
		</>
	);
}

/** Shown if a page throws an error. */
export function CrashPage() {
	return (
		<main className="gate">
			<div className="state" role="alert">
				<h1>Something went wrong</h1>
				<p className="muted">This is a bug in the console. Reload the page to continue.</p>
				<Button onClick={() => location.reload()}>Reload</Button>
			</div>
		</main>
	);
}
