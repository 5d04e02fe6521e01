import { useSearchParams } from "react-router";
import { useTenant } from "./tenant-context";

/**
 * Where somebody goes once signed in. An application may send people here with `?callbackURL=`; the
 * server decides whether that is a place to lead them to, and refuses any that it does not trust.
 */
export function useReturnTo() {
	const { pageUrl } = useTenant();
	const [query] = useSearchParams();
	const callbackURL = query.get("callbackURL");
	return {
		url: callbackURL ?? pageUrl("account"),
		/** For links between the pages, so that the wish is not lost on the way. */
		search: callbackURL ? `?${new URLSearchParams({ callbackURL })}` : "",
	};
}
