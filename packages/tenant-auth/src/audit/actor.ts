import * as z from "zod";
import { defineCallState } from "../context/current-state";

export const actorSchema = z.object({
	/**
	 * - `server`: server code of the app, which called `auth.api` without a request
	 * - `key`: a management key; `id` is the beginning of its digest
	 * - `administrator`: a platform admin; `id` is the user's
	 * - `host`: a caller that `canManageTenants` allowed; `id` is the user's, if one is signed in
	 */
	kind: z
		.enum(["server", "key", "administrator", "host"])
		.meta({ description: "How the caller was authorized" }),
	id: z.string().nullable().meta({ description: "The user, or the digest of the key" }),
});

/** Who did something. */
export type Actor = z.output<typeof actorSchema>;

const actor = defineCallState<{ current?: Actor }>(() => ({}));

export function setActor(current: Actor): void {
	actor.get().current = current;
}

/** Who was authorized by the running call. */
export function requireActor(): Actor {
	const { current } = actor.get();
	if (!current) throw new Error("requireManagement() must run before requireActor()");
	return current;
}
