import { defineCallState } from "../context/request-state";

/** Who manages. */
export interface Actor {
	/**
	 * - `server`: code of the host's own, which called `auth.api` with no request
	 * - `key`: the bearer of a management key; `id` is the beginning of the key's digest
	 * - `administrator`: a platform administrator; `id` is the user's
	 * - `host`: somebody whom the host's `canManageTenants` let in; `id` is the user's, if one is signed in
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
