import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { toApplication } from "./application";
import { serviceClients, tenantClients } from "./store";

/** Whether an application of the current tenant, or a service-wide one, may outlive sessions. */
export async function outlivesSession({ clientId }: { clientId: string }): Promise<boolean> {
	const ctx = tryGetCurrentAuthEndpointContext() as { context: AuthContext } | undefined;
	if (!ctx) return false;
	const { context } = ctx;
	const row =
		(await tenantClients(context).find(clientId)) ?? (await serviceClients(context).find(clientId));
	return row !== null && toApplication(row, null).offlineAccess;
}
