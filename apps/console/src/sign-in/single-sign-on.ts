import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useSearchParams } from "react-router";
import { sessionQuery } from "./session-queries";
import { useTenant } from "./tenant-context";

/**
 * Sends a user who is signed in already on to the app, without a form. With `prompt=login`, the app
 * asks for the form.
 *
 * @returns whether the form has to wait
 */
export function useSingleSignOn(): boolean {
	const tenant = useTenant();
	const { callbackUrl } = tenant;
	const [query] = useSearchParams();
	const isWanted = callbackUrl !== null && query.get("prompt") !== "login";
	const { data, isPending } = useQuery({ ...sessionQuery(tenant), enabled: isWanted });
	const target = isWanted && data ? callbackUrl : null;
	useEffect(() => {
		if (target) window.location.replace(target);
	}, [target]);
	return isWanted && (isPending || target !== null);
}
