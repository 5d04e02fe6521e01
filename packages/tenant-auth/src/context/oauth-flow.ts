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

export function asServerContext(flow: Flow): Record<string, unknown> {
	return { [KEY]: flow };
}

export function findFlow(state: { serverContext?: Record<string, unknown> }): Flow | null {
	const flow = state.serverContext?.[KEY];
	return typeof flow === "object" ? (flow as Flow | null) : null;
}

export function isSameFlow(began: Flow, now: Flow): boolean {
	return (
		began.tenantId === now.tenantId &&
		began.providerId === now.providerId &&
		began.source === now.source &&
		began.configId === now.configId &&
		began.fingerprint === now.fingerprint
	);
}
