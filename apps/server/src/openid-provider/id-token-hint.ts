import type { GenericEndpointContext } from "@better-auth/core";
import { getSessionFromCtx } from "better-auth/api";
import { findHintClaims } from "./own-tokens";

/** Added to the request when the user is asked to sign in as the one whom the hint names. */
const ASKED = "asked_for_hint";

/**
 * An app names the user whom it expects with `id_token_hint`. It never gets a code for somebody else: who is
 * signed in as another user has to sign in first, and if that cannot be, or leads to another user again, the
 * app gets `login_required` (OpenID Connect Core, section 3.1.2.1). The plugin ignores the hint.
 */
export async function requireHintedUser(ctx: GenericEndpointContext) {
	const query: Record<string, unknown> | undefined = ctx.query;
	const hint = query?.id_token_hint;
	if (!query || hint === undefined) return;
	const isSilent = String(query.prompt ?? "")
		.split(" ")
		.includes("none");
	const claims = typeof hint === "string" ? await findHintClaims(ctx, hint) : null;
	if (!claims && !isSilent) {
		delete query.id_token_hint;
		return;
	}
	const session = await getSessionFromCtx(ctx);
	if (session && session.user.id === claims?.sub) return;
	if (isSilent || (session && query[ASKED] !== undefined)) {
		query.prompt = "none";
		return withoutSession(ctx);
	}
	query[ASKED] = "1";
	if (session) query.prompt = "login";
}

/** With `prompt=none`, the plugin then sends `login_required` to the app, after it has checked the rest. */
function withoutSession(ctx: GenericEndpointContext) {
	ctx.context.session = null;
	return { context: { headers: new Headers({ cookie: "" }) } };
}

/**
 * Drops an `id_token_hint` at the sign-out that is not of the tenant. For a key that it does not know, the
 * plugin would load the tenant's keys over HTTP, from this server, at every request of anybody.
 */
export async function dropForeignHint(ctx: GenericEndpointContext): Promise<void> {
	for (const input of [ctx.query, ctx.body] as (Record<string, unknown> | undefined)[]) {
		const hint = input?.id_token_hint;
		if (!input || hint === undefined) continue;
		if (typeof hint === "string" && (await findHintClaims(ctx, hint))) continue;
		delete input.id_token_hint;
	}
}
