import { type ReactNode, useEffect } from "react";
import { LockIcon } from "../ui/icons";

type PlainPageProps = { title: string; children: ReactNode; action?: ReactNode };

/** A page of nobody in particular: it bears no tenant's brand. */
export function PlainPage({ title, children, action }: PlainPageProps) {
	useEffect(() => {
		document.title = title;
	}, [title]);
	return (
		<main className="auth-page">
			<div className="auth-card plain-card">
				<LockIcon />
				<h1>{title}</h1>
				<p className="muted">{children}</p>
				{action}
			</div>
		</main>
	);
}
