import { Button } from "./Button";

type ErrorStateProps = { title?: string; error: unknown; onRetry?: () => void };

export function ErrorState({
	title = "This could not be loaded",
	error,
	onRetry,
}: ErrorStateProps) {
	return (
		<div className="state" role="alert">
			<h3>{title}</h3>
			<p className="muted">{error instanceof Error ? error.message : "Something went wrong."}</p>
			{onRetry && <Button onClick={onRetry}>Try again</Button>}
		</div>
	);
}
