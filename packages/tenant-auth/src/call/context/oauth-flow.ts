/**
 * What a social sign-in started with. It is stored in the part of the OAuth state that no client can
 * write, and the callback finishes only with the same.
 */
export interface Flow {
	tenantId: string;
	providerId: string;
	/** Whose credentials: the tenant's or the app's. */
	source: "tenant" | "global";
	/** The config's row, for the tenant's credentials. */
	configId: string | null;
	/** A digest of client id and settings. Not of the secret, which may be rotated. */
	fingerprint: string;
}

const KEY = "tenantAuth";

/** What a flow of another plugin starts with: that plugin binds it to the provider itself. */
export type FlowTenant = Pick<Flow, "tenantId">;

export function asServerContext(flow: Flow | FlowTenant): Record<string, unknown> {
	return { [KEY]: flow };
}

export function findFlow(state: {
	serverContext?: Record<string, unknown>;
}): (Partial<Flow> & FlowTenant) | null {
	const flow = state.serverContext?.[KEY];
	return typeof flow === "object" ? (flow as Flow | null) : null;
}

export function isSameFlow(began: Partial<Flow>, now: Flow): boolean {
	return (
		began.tenantId === now.tenantId &&
		began.providerId === now.providerId &&
		began.source === now.source &&
		began.configId === now.configId &&
		began.fingerprint === now.fingerprint
	);
}
