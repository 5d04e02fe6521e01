import type { AuthContext } from "@better-auth/core";
import { normalizePathname } from "@better-auth/core/utils/url";
import { addNotes, notesOf } from "../call/context/current-state";
import { isOurs } from "../call/context/endpoint-rules";
import type { ResolvedOptions } from "../options";

/** Notes whether a request is for one of our endpoints. */
export function noteOurRequest(request: Request, ctx: AuthContext): void {
	if (!request.url.includes("/tenant/")) return;
	const basePath = new URL(ctx.baseURL).pathname;
	addNotes(ctx, { isOurs: isOurs(normalizePathname(request.url, basePath)) });
}

/**
 * Sets headers for caches. A response of our endpoints is never stored. Every response varies by the tenant
 * header. Core's endpoints decide the rest themselves.
 *
 * Better Auth calls this for all errors too, but not for a response that a plugin returns before the router.
 */
export const completeResponse =
	({ tenantHeader }: ResolvedOptions) =>
	async (original: Response, ctx: AuthContext): Promise<{ response: Response } | undefined> => {
		const isOwn = notesOf(ctx).isOurs === true;
		const replaced = (isOwn && (await asValidationError(original))) || original;
		const response = hasFixedHeaders(replaced) ? new Response(replaced.body, replaced) : replaced;
		if (response.headers.get("vary") !== "*") response.headers.append("vary", tenantHeader);
		if (isOwn) response.headers.set("cache-control", "no-store");
		// A plugin that returns a response is the last one that sees it.
		return response === original ? undefined : { response };
	};

/** A response of the app may be that of a fetch. Its headers cannot be changed. */
function hasFixedHeaders({ headers }: Response): boolean {
	try {
		headers.delete("x-tenant-auth-none");
		return false;
	} catch {
		return true;
	}
}

/**
 * Malformed JSON at our endpoints gets `VALIDATION_ERROR`, like every other invalid input.
 *
 * Better Auth responds before an endpoint or a hook runs, with a code of its own. So the response is
 * replaced, if its text is the known one.
 */
async function asValidationError(response: Response): Promise<Response | null> {
	if (response.status !== 400) return null;
	if (!(await response.clone().text()).includes("Invalid JSON in request body")) return null;
	const body = { code: "VALIDATION_ERROR", message: "The body is not valid JSON" };
	return Response.json(body, { status: 400 });
}
