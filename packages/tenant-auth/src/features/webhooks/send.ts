import type { AuthContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { guarded } from "../../call/network/guarded-fetch";
import { findAddressProblem } from "../../call/network/public-hosts";
import { openSecrets, signedHeaders } from "./secrets";
import type { WebhookRow } from "./webhook";

/** Rejects a URL that the server must not send requests to. When it is used, it is checked again. */
export function requirePublicURL(text: string, allowPrivate: boolean): string {
	const problem = URL.canParse(text)
		? findURLProblem(new URL(text), allowPrivate)
		: "must be an https URL";
	if (!problem) return text;
	throw new APIError("BAD_REQUEST", {
		code: "VALIDATION_ERROR",
		message: `[body.url] url ${problem}`,
	});
}

function findURLProblem(url: URL, allowPrivate: boolean): string | null {
	if (url.hash !== "") return "must not contain a fragment";
	// A receiver may distinguish its webhooks by a query.
	const address = new URL(url);
	address.search = "";
	address.hash = "";
	return findAddressProblem(address, allowPrivate);
}

export interface Attempt {
	isDelivered: boolean;
	/** The receiver does not want events any more. */
	isGone: boolean;
	responseStatus: number | null;
	error: string | null;
}

export interface SendOptions {
	allowPrivate: boolean;
	/** In milliseconds. */
	timeout: number;
}

const GONE = 410;

/**
 * Sends a message to a webhook, once. It connects to public addresses only, follows no redirect and does
 * not read the body of the response.
 */
export async function send(
	ctx: Pick<AuthContext, "secretConfig" | "logger">,
	webhook: WebhookRow,
	message: { eventId: string; payload: string },
	{ allowPrivate, timeout }: SendOptions,
): Promise<Attempt> {
	const limit = new AbortController();
	const timer = setTimeout(() => limit.abort(new Error("timeout")), timeout);
	const failed = { isDelivered: false, isGone: false, responseStatus: null };
	try {
		const secrets = await openSecrets(ctx, webhook);
		const { eventId: id, payload } = message;
		const signed = await signedHeaders(secrets, { id, timestamp: new Date(), payload });
		const response = await guarded({ allowPrivate }, () =>
			fetch(webhook.url, {
				method: "POST",
				headers: { ...signed, "content-type": "application/json", "user-agent": USER_AGENT },
				body: payload,
				signal: limit.signal,
			}),
		);
		const { status, ok } = response;
		return {
			isDelivered: ok,
			isGone: status === GONE,
			responseStatus: status,
			error: ok ? null : `The response was ${status}`,
		};
	} catch (error) {
		return {
			...failed,
			error: limit.signal.aborted ? `No response within ${timeout} ms` : toText(error),
		};
	} finally {
		clearTimeout(timer);
		// Nobody reads the body.
		limit.abort();
	}
}

const USER_AGENT = "better-auth-tenant";
const MAX_ERROR = 200;

/** A name that does not exist, and one that leads into a private network. Which one is nobody's business. */
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|is not public/;

/** For the people who manage the webhook. */
function toText(error: unknown): string {
	const message = error instanceof Error ? error.message : "";
	if (UNREACHABLE.test(message)) return "The host name leads to no public server";
	return (message || "It failed").slice(0, MAX_ERROR);
}
