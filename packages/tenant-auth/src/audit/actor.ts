import { defineCallState } from "../context/request-state";

/** Who manages. */
export interface Actor {
	/**
	 * - `server`: server code that called `auth.api` without request and headers
	 * - `key`: a management key; `id` is the start of its digest
	 * - `administrator`: a platform admin; `id` is the user's
	 * - `host`: a caller that the app's `canManageTenants` allowed; `id` is the user's, if one is signed in
	 */
	kind: "server" | "key" | "administrator" | "host";
	id: string | null;
}

const actor = defineCallState<{ current?: Actor }>(() => ({}));

export function setActor(current: Actor): void {
	actor.get().current = current;
}

/** Who manages in the running call. */
export function requireActor(): Actor {
	const { current } = actor.get();
	if (!current) throw new Error("This call was not authorized to manage");
	return current;
}
