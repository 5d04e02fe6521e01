import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { APIError } from "better-auth/api";
import type { Counters } from "../database/counters";
import { currentRequest } from "../monitoring/request-record";
import type { Settings } from "../settings/settings";
import { currentWindow, type Limit, tooManyRequests } from "./attempt-limits";

const NEW_DEVICE = "new-device";

/** What an email is, and who gets it from whom. Each kind has counters of its own. */
export type EmailSource = {
	kind: string;
	/** `null` for the platform. */
	tenantId: string | null;
	to: string;
};

export type EmailLimits = {
	/** Counts an email. Returns why it must not be sent, or `null`. */
	count: (source: EmailSource) => Promise<APIError | null>;
	/** Returns why an email would not be sent, or `null`. It counts nothing. */
	findRefusal: (source: EmailSource) => Promise<APIError | null>;
};

/**
 * Limits the emails that requests cause: to one address, and of one tenant. What asks is whatever sends the
 * email, and not a list of paths: a new kind of email is limited too.
 *
 * A tenant has a counter for each kind. Otherwise a client that signs up with many addresses could use up the
 * emails of those who need a new password. Emails about a new device have none: somebody with several accounts
 * could use it up before signing in to the account of another user.
 */
export function emailLimits(
	counters: Counters,
	rates: Pick<Settings["rateLimits"], "email" | "tenantEmail">,
	isManager: (headers: Headers) => boolean,
): EmailLimits {
	function limitsOf({ kind, tenantId, to }: EmailSource): Limit[] {
		const ctx = tryGetCurrentAuthEndpointContext();
		// Server code, such as the CLI, is the operator's.
		if (!currentRequest() || !ctx?.context.rateLimit.enabled) return [];
		const headers = ctx.request?.headers ?? ctx.headers;
		if (headers && isManager(new Headers(headers))) return [];
		const keyOf = (...parts: string[]) => ["sent", kind, tenantId ?? "", ...parts].join("\n");
		return [
			...(rates.email ? [{ rate: rates.email, key: keyOf("to", to.trim().toLowerCase()) }] : []),
			// Operators have no limit in common: nobody else causes their emails.
			...(rates.tenantEmail && tenantId !== null && kind !== NEW_DEVICE
				? [{ rate: rates.tenantEmail, key: keyOf("all") }]
				: []),
		];
	}

	async function add(limits: Limit[], isKept: boolean): Promise<APIError | null> {
		for (const { key, rate } of limits) {
			const { windowKey, secondsLeft } = currentWindow(key, rate);
			const total = await counters.increment(windowKey, rate.window);
			if (!isKept) await counters.decrement(windowKey);
			if (total > rate.max) return tooManyRequests(secondsLeft);
		}
		return null;
	}

	return {
		count: (source) => add(limitsOf(source), true),
		findRefusal: (source) => add(limitsOf(source), false),
	};
}
