import { defineRequestState } from "@better-auth/core/context";

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

const actor = defineRequestState<{ current?: Actor }>(() => ({}));

export async function noteActor(current: Actor): Promise<void> {
	(await actor.get()).current = current;
}

/** Who was let in to manage by the running call. */
export async function requireActor(): Promise<Actor> {
	const { current } = await actor.get();
	if (!current) throw new Error("Nobody was asked who manages");
	return current;
}
