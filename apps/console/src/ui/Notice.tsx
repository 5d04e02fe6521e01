import type { ReactNode } from "react";

type NoticeProps = { kind: "info" | "success" | "warning" | "danger"; children: ReactNode };

/** A message in the flow of the page; a failure is read out at once. */
export function Notice({ kind, children }: NoticeProps) {
	return (
		<div className={`notice notice-${kind}`} role={kind === "danger" ? "alert" : "status"}>
			{children}
		</div>
	);
}
