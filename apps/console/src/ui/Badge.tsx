import type { ReactNode } from "react";

type BadgeProps = {
	kind?: "neutral" | "info" | "success" | "warning" | "danger";
	children: ReactNode;
};

export function Badge({ kind = "neutral", children }: BadgeProps) {
	return <span className={`badge badge-${kind}`}>{children}</span>;
}
