import { defineRequestState } from "@better-auth/core/context";
import * as z from "zod";

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

const actor = defineRequestState<{ current?: Actor }>(() => ({}));

export async function setActor(current: Actor): Promise<void> {
	(await actor.get()).current = current;
}

/** Who was authorized by the running call. */
export async function requireActor(): Promise<Actor> {
	const { current } = await actor.get();
	if (!current) throw new Error("requireManagement() must run before requireActor()");
	return current;
}
