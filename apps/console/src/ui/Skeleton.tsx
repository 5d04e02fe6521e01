/** The place of something that is loading; what surrounds it says so to screen readers. */
export function Skeleton({ kind = "text" }: { kind?: "text" | "title" | "control" | "block" }) {
	return <span className={`skeleton skeleton-${kind}`} aria-hidden="true" />;
}
