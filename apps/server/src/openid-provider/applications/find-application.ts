import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { type Application, type ClientRow, toApplication } from "./application";
import { serviceClients, tenantClients } from "./store";

export type Named = { clientId: string };

/** An application of the current tenant, or a service-wide one. */
export async function findApplication({ clientId }: Named): Promise<Application | null> {
	const ctx = tryGetCurrentAuthEndpointContext() as { context: AuthContext } | undefined;
	if (!ctx) return null;
	const row = await findClient(ctx.context, clientId);
	return row && toApplication(row, null);
}

/** The row of an application of the current tenant, or of a service-wide one. */
export const findClient = async (
	context: AuthContext,
	clientId: string,
): Promise<ClientRow | null> =>
	(await tenantClients(context).find(clientId)) ?? serviceClients(context).find(clientId);
