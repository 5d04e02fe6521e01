import type { ReactNode } from "react";
import { Button } from "./Button";
import { useUiTexts } from "./texts";

type BadgeProps = {
	kind?: "neutral" | "info" | "success" | "warning" | "danger";
	children: ReactNode;
};

export function Badge({ kind = "neutral", children }: BadgeProps) {
	return <span className={`badge badge-${kind}`}>{children}</span>;
}

type NoticeProps = { kind: "info" | "success" | "warning" | "danger"; children: ReactNode };

/** A message between other content. Screen readers announce an error at once. */
export function Notice({ kind, children }: NoticeProps) {
	return (
		<div className={`notice notice-${kind}`} role={kind === "danger" ? "alert" : "status"}>
			{children}
		</div>
	);
}

type EmptyStateProps = { title: string; children?: ReactNode; action?: ReactNode };

/** Shown in place of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
	return (
		<div className="state">
			<h2 className="state-title">{title}</h2>
			{children && <p className="muted">{children}</p>}
			{action}
		</div>
	);
}

type ErrorStateProps = {
	title?: string;
	error: Error;
	/** What to say about the error. @default its message */
	message?: string;
	onRetry: () => void;
};

/** Shown in place of content that could not be loaded. */
export function ErrorState({ title, error, message, onRetry }: ErrorStateProps) {
	const texts = useUiTexts();
	return (
		<div className="state" role="alert">
			<h2 className="state-title">{title ?? texts.loadFailed}</h2>
			<p className="muted">{message ?? error.message}</p>
			<Button onClick={onRetry}>{texts.tryAgain}</Button>
		</div>
	);
}

/** Holds the place of content that is loading. The content around it has to set `aria-busy`. */
export function Skeleton({ kind = "text" }: { kind?: "text" | "title" | "control" | "block" }) {
	return <span className={`skeleton skeleton-${kind}`} aria-hidden="true" />;
}
