import type { ReactNode } from "react";
import { LockIcon } from "./icons";

type MessagePageProps = { title: string; children: ReactNode; action?: ReactNode };

/** A page that only says something, without any tenant's brand. */
export function MessagePage({ title, children, action }: MessagePageProps) {
	return (
		<main className="message-page">
			<title>{title}</title>
			<div className="card message-card">
				<LockIcon />
				<h1>{title}</h1>
				<p className="muted">{children}</p>
				{action}
			</div>
		</main>
	);
}
