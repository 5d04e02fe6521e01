import { Button } from "../../ui/Button";

/** Instead of an empty screen when a page of ours fails. */
export function CrashPage() {
	return (
		<main className="gate">
			<div className="state" role="alert">
				<h1>This page failed</h1>
				<p className="muted">That is a mistake of the console's, not yours.</p>
				<Button onClick={() => location.reload()}>Load it again</Button>
			</div>
		</main>
	);
}
