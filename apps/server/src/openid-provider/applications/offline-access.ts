import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { type Application, toApplication } from "./application";
import { serviceClients, tenantClients } from "./store";

type Named = { clientId: string };

/** An application of the current tenant, or a service-wide one. */
async function findApplication({ clientId }: Named): Promise<Application | null> {
	const ctx = tryGetCurrentAuthEndpointContext() as { context: AuthContext } | undefined;
	if (!ctx) return null;
	const { context } = ctx;
	const row =
		(await tenantClients(context).find(clientId)) ?? (await serviceClients(context).find(clientId));
	return row && toApplication(row, null);
}

/** Whether an application may outlive sessions. */
export const outlivesSession = async (named: Named): Promise<boolean> =>
	(await findApplication(named))?.offlineAccess ?? false;

/** How many days after the sign-in it may refresh its tokens. No application exceeds the service. */
export const maxRefreshDays = (ofService: number) => async (named: Named) =>
	Math.min(ofService, (await findApplication(named))?.refreshDays ?? ofService);
