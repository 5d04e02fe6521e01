import { useQuery } from "@tanstack/react-query";
import { unwrap } from "../api/unwrap";
import { useTenant } from "./tenant-context";

export const sessionKey = (tenantId: string) => ["session", tenantId];

/** Who is signed in at this tenant; `null` for nobody. */
export function useSession() {
	const { client, options } = useTenant();
	return useQuery({
		queryKey: sessionKey(options.tenant.id),
		queryFn: () => unwrap(client.getSession()),
	});
}
