import { useEffect } from "react";
import { useTenant } from "./tenant-context";

/** Names the page in the browser's tab. */
export function usePageTitle(title: string): void {
	const { name } = useTenant().options.tenant;
	useEffect(() => {
		document.title = `${title} · ${name}`;
	}, [title, name]);
}
