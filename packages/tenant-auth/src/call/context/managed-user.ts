import { defineCallState } from "./current-state";

const running = defineCallState(() => ({ works: 0 }));

/**
 * Runs work that those who manage a tenant do to its users. It is not limited by the tenant's rules for
 * sign-up and sign-in, and it may write the user's role.
 */
export async function byManagement<T>(work: () => Promise<T>): Promise<T> {
	const state = running.get();
	state.works += 1;
	try {
		return await work();
	} finally {
		state.works -= 1;
	}
}

/** Whether the running call is inside of {@link byManagement}. */
export const isByManagement = (): boolean => (running.find()?.works ?? 0) > 0;
