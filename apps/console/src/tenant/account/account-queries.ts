import { useQuery } from "@tanstack/react-query";
import { unwrap } from "../../api/unwrap";
import { useTenant } from "../tenant-context";

/** All that is kept about the signed-in user is under this key. */
export const accountKey = (tenantId: string) => ["account", tenantId];

export const linkedAccountsKey = (tenantId: string) => [...accountKey(tenantId), "linked"];

export const sessionsKey = (tenantId: string) => [...accountKey(tenantId), "sessions"];

/** The user's ways to sign in: a password is one of them. */
export function useLinkedAccounts() {
	const { client, options } = useTenant();
	return useQuery({
		queryKey: linkedAccountsKey(options.tenant.id),
		queryFn: () => unwrap(client.listAccounts()),
	});
}

export function useSessions() {
	const { client, options } = useTenant();
	return useQuery({
		queryKey: sessionsKey(options.tenant.id),
		queryFn: () => unwrap(client.listSessions()),
	});
}
