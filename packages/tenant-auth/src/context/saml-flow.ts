import type { GenericEndpointContext } from "@better-auth/core";
import { tenantError } from "../tenant-error";
import { rulesOf, VERIFICATIONS } from "./endpoint-rules";
import type { RequestState } from "./request-state";

/** The attributes of the first element are far within this. */
const READ_CHARACTERS = 32_768;

/** Older versions of Better Auth store a state without a prefix. No other identifier looks like one. */
const STATE_PATTERN = /^[\w-]{32}$/;

/**
 * Puts a call into the tenant of the SAML flow that it continues, and says whether there is one.
 *
 * A flow is known by what it stored when it started: its RelayState, and the id of the request that the
 * message answers. Both are unguessable, and no other tenant has the same. The sso plugin verifies the
 * message afterwards, in that tenant: signature, audience, recipient, and the request's id again. So a
 * message that names the flow of another tenant is rejected there.
 */
export async function enterTenantOfSamlFlow(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<boolean> {
	const { samlFlow } = rulesOf(ctx.path);
	if (!samlFlow || state.resolution.kind !== "pending") return false;
	const relayState = samlFlow.hasState ? textIn(ctx.body, "RelayState") : undefined;
	const requestId = await findAnsweredRequest(ctx);
	const stored = [
		...(relayState ? [`auth-state:${relayState}`] : []),
		...(relayState && STATE_PATTERN.test(relayState) ? [relayState] : []),
		...(requestId ? [`${samlFlow.requests}${requestId}`] : []),
	];
	for (const identifier of stored) {
		// PostgreSQL fails on a NUL in a parameter, and no flow has one.
		if (identifier.includes("\0")) continue;
		state.awaitToken("row", VERIFICATIONS);
		await ctx.context.internalAdapter.findVerificationValue(identifier);
		if (state.scope) return true;
	}
	state.reset();
	// A RelayState in a cookie does not contain the tenant. Only the request's id tells it, and the app
	// may have disabled these ids. Then the flow of a tenant must not end on the platform.
	const isInCookie = ctx.context.oauthConfig.storeStateStrategy === "cookie";
	if (relayState && isInCookie) throw tenantError("TENANT_NOT_FOUND");
	return false;
}

/** Whether the request has the answer of an identity provider, and not its own request. */
export const hasSamlAnswer = ({ path, body, query }: GenericEndpointContext): boolean =>
	rulesOf(path).samlFlow !== undefined &&
	[body, query].some((source) => textIn(source, "SAMLResponse") !== undefined);

/** The id of the request that a message answers. It is not verified here. */
async function findAnsweredRequest({
	body,
	query,
}: GenericEndpointContext): Promise<string | undefined> {
	const posted = textIn(body, "SAMLResponse");
	const inUrl = textIn(query, "SAMLResponse");
	const xml = posted ? decode(posted) : inUrl && (await inflate(decode(inUrl)));
	const [, attributes = ""] = /<(?:[\w.-]+:)?(?:Logout)?Response\s([^>]*)/.exec(xml ?? "") ?? [];
	return /\bInResponseTo\s*=\s*["']([^"']{1,255})["']/.exec(attributes)?.[1];
}

function textIn(source: unknown, name: string): string | undefined {
	const value: unknown =
		source === null || typeof source !== "object" ? undefined : Reflect.get(source, name);
	return typeof value === "string" && value !== "" ? value : undefined;
}

/** As a string of bytes: ids are ASCII. An empty string if it is not base64. */
function decode(base64: string): string {
	const text = base64.slice(0, READ_CHARACTERS).replaceAll(/\s+/g, "");
	try {
		return atob(text.slice(0, text.length - (text.length % 4)));
	} catch {
		return "";
	}
}

/** The start of a deflated message. In a URL, SAML messages are deflated. */
async function inflate(deflated: string): Promise<string> {
	const bytes = Uint8Array.from(deflated, (character) => character.charCodeAt(0));
	const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
	const reader = inflated.getReader();
	try {
		// One chunk is enough, and limits what a small message can become.
		const { value } = await reader.read();
		return new TextDecoder("latin1").decode(value);
	} catch {
		return "";
	} finally {
		await reader.cancel().catch(() => {});
	}
}
