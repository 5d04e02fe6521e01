import { Skeleton } from "../ui/Skeleton";

/** In the shape of the pages, in nobody's colours. */
export function LoadingPage() {
	return (
		<main className="auth-page" aria-busy="true">
			<h1 className="visually-hidden">Loading</h1>
			<div className="auth-card late">
				<Skeleton kind="title" />
				<Skeleton kind="control" />
				<Skeleton kind="control" />
			</div>
		</main>
	);
}
