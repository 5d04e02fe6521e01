import type { FlowMessages, SentCall } from "../endpoint-rules";

/** The attributes of the first element are far within this. */
const READ_CHARACTERS = 32_768;

/** Older versions of Better Auth store a state without a prefix. No other identifier looks like one. */
const STATE_PATTERN = /^[\w-]{32}$/;

/**
 * A SAML flow is known by what it stored when it started: its RelayState, and the id of the request that the
 * message responds to. Both are unguessable, and no other tenant has the same. The plugin verifies the
 * message afterwards, in that tenant: signature, audience, recipient, and the request's id again. So a
 * message that names the flow of another tenant is rejected there.
 *
 * @param requests prefixes of the identifiers under which ids of our requests are stored for the response
 * @param hasState whether the RelayState is an OAuth state. Otherwise it is a URL of the app.
 */
export function samlMessages({
	requests,
	hasState,
}: {
	requests: string;
	hasState: boolean;
}): FlowMessages {
	const findState = ({ body }: SentCall) => (hasState ? textIn(body, "RelayState") : undefined);
	return {
		findState,
		identifiersOf: async (call) => {
			const state = findState(call);
			const requestId = await findRequestId(call);
			return [
				...(state ? [`auth-state:${state}`] : []),
				...(state && STATE_PATTERN.test(state) ? [state] : []),
				...(requestId ? [`${requests}${requestId}`] : []),
			];
		},
		isResponse: ({ body, query }) =>
			[body, query].some((source) => textIn(source, "SAMLResponse") !== undefined),
	};
}

/** The id of the request that a message responds to. It is not verified here. */
async function findRequestId({ body, query }: SentCall): Promise<string | undefined> {
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
