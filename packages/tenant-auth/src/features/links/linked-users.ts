import type { GenericEndpointContext } from "@better-auth/core";
import * as z from "zod";
import { flag, text, textOrNull } from "../../described";
import { digestOf, findEntry, type Keyring } from "./keyring";
import { findListed, findTenant, type Proven } from "./proven-session";
import { findLink } from "./store";

export const linkedUserSchema = z.object({
	tenant: z
		.object({
			id: text("Unique id; switchTenantLink takes it"),
			name: text("Display name"),
			slug: text("Unique name for URLs"),
		})
		.meta({ description: "The tenant of the user" }),
	user: z
		.object({
			name: text("Name in that tenant"),
			email: text("Email in that tenant"),
			image: textOrNull("URL of a picture, if any"),
		})
		.meta({ description: "The user" }),
	current: flag("Whether it is the signed-in user"),
});

/** A user of the person who uses this browser. */
export type LinkedUser = z.output<typeof linkedUserSchema>;

const toLinkedUser = (
	{ tenant, user }: Pick<Proven, "tenant" | "user">,
	current: boolean,
): LinkedUser => ({
	tenant: { id: tenant.id, name: tenant.name, slug: tenant.slug },
	user: { name: user.name, email: user.email, image: user.image ?? null },
	current,
});

/**
 * The users to whom the signed-in user may switch in this browser, and the user. Empty if there is nobody to
 * switch to, whatever the reason.
 */
export async function listLinkedUsers(
	ctx: GenericEndpointContext,
	keyring: Keyring | null,
	own: Proven,
): Promise<LinkedUser[]> {
	// Somebody else may have signed in where another user was linked. The users of that one stay hidden.
	if (!keyring || !findEntry(keyring, own.entry.token)) return [];
	if (!(await findTenant(ctx, own.entry))) return [];
	if (!(await findLink(ctx.context, await digestOf(keyring, own.entry)))) return [];
	const users: LinkedUser[] = [];
	for (const entry of keyring.entries) {
		const current = entry.token === own.entry.token;
		const found = current ? own : await findListed(ctx, keyring, entry);
		if (found) users.push(toLinkedUser(found, current));
	}
	return users.length > 1 ? users : [];
}
