import type { ReactNode } from "react";
import { Link } from "react-router";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/feedback";
import { titleOf } from "./product";

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
			<title>{titleOf("Page not found")}</title>
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
