import { createHash } from "node:crypto";
import { getIP } from "@better-auth/core/utils/ip";
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import type { Counters } from "../database/counters";
import { currentRequest } from "../monitoring/request-record";
import type { Rate } from "../settings/formats";
import type { Settings } from "../settings/settings";
import { findKnownCaller, type LimitedAccount } from "./known-callers";
import { type LimitedKind, limitedKindOf, namesAccount } from "./limited-paths";

export type Limit = {
	key: string;
	rate: Rate;
	/** Whose attempts these are. Who has signed in to it before has attempts of their own. */
	account?: LimitedAccount;
};

const keyOf = (kind: LimitedKind, by: string, tenantId: string, value: string) =>
	[kind, by, tenantId, value].join("\n");

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * Limits attempts by tenant and IP address, and by account (tenant and email, or the user of the session)
 * from all addresses. People of one office share an address, so attempts that succeed are not counted,
 * except sign-ups and emails.
 *
 * These are hooks of Better Auth, because there the tenant is verified. Otherwise a client could name it
 * in several ways, and would have a counter for each.
 */
export function attemptLimits(
	counters: Counters,
	rates: Settings["rateLimits"],
	isManager: (headers: Headers) => boolean,
) {
	async function limitsOf(ctx: HookContext, kind: LimitedKind): Promise<Limit[]> {
		// An operator's account is of no tenant. A tenant that the request names would have another counter.
		const isOperators = ctx.path.startsWith("/operator/");
		const tenantId = (isOperators ? null : await getCurrentTenantId()) ?? "";
		const address = ctx.headers ? getIP(ctx.headers, ctx.context.options) : null;
		const named: unknown = namesAccount(ctx.path)
			? (ctx.body?.email ?? ctx.body?.username)
			: undefined;
		const email = typeof named === "string" ? named.trim().toLowerCase() : null;
		const isSignIn = kind === "sign-in";
		// Who has taken over a session guesses the password of its user, from as many addresses as they have.
		const isProof = isSignIn || kind === "second-factor";
		const account = email ?? (isProof ? await findUserId(ctx) : null);
		const limit = (rate: Rate | null, by: string, value: string | null): Limit[] =>
			rate && value !== null ? [{ rate, key: keyOf(kind, by, tenantId, value) }] : [];
		// The address first: who is over its limit must not use up the attempts of an account.
		return [
			...limit(kind === "second-factor" ? rates.account : rates.signIn, "address", address),
			...(kind === "sign-up"
				? []
				: limit(kind === "mail" ? rates.email : rates.account, "account", account).map((it) =>
						isSignIn && email !== null ? { ...it, account: { tenantId, email } } : it,
					)),
		];
	}

	/** @returns the counters of the attempt */
	const count = async (ctx: HookContext, { key, rate, account }: Limit): Promise<string[]> => {
		const { windowKey, secondsLeft } = currentWindow(key, rate);
		const total = await counters.increment(windowKey, rate.window);
		if (total <= rate.max) return [windowKey];
		// Otherwise anybody could lock out the owner of an account, with wrong passwords.
		const known = account ? await findKnownCaller(ctx, account) : null;
		if (known === null) throw tooManyRequests(secondsLeft);
		const own = { key: [key, known].join("\n"), rate };
		return [windowKey, ...(await count(ctx, own))];
	};

	return {
		before: createAuthMiddleware(async (ctx) => {
			const request = currentRequest();
			const kind = limitedKindOf(ctx.path);
			if (!request || !kind || !ctx.context.rateLimit.enabled) return;
			if (ctx.headers && isManager(ctx.headers)) return;
			const counted: string[] = [];
			for (const limit of await limitsOf(ctx, kind)) counted.push(...(await count(ctx, limit)));
			const isRefunded = kind === "sign-in" || kind === "second-factor";
			request.countedAttempts = isRefunded ? counted : [];
		}),
		/** Takes an attempt back that has succeeded. */
		after: createAuthMiddleware(async (ctx) => {
			const request = currentRequest();
			const { returned } = ctx.context;
			if (!request || (isAPIError(returned) && returned.statusCode >= 400)) return;
			const keys = request.countedAttempts.splice(0);
			await Promise.all(keys.map((key) => counters.decrement(key)));
		}),
	};
}

async function findUserId(ctx: HookContext): Promise<string | null> {
	const session = ctx.headers ? await getSessionFromCtx(ctx) : null;
	return session?.user.id ?? null;
}

/**
 * All servers count in the same windows of time, so the key has the number of the window, and the time
 * that is left is known without asking. Emails are not readable in the store.
 */
export function currentWindow(
	key: string,
	{ window }: Rate,
): { windowKey: string; secondsLeft: number } {
	const seconds = Date.now() / 1000;
	const digest = createHash("sha256").update(key).digest("base64url");
	return {
		windowKey: `attempts:${window}:${Math.floor(seconds / window)}:${digest}`,
		secondsLeft: Math.ceil(window - (seconds % window)),
	};
}

export function tooManyRequests(seconds: number): APIError {
	const body = { code: "TOO_MANY_REQUESTS", message: "Too many requests. Please try again later." };
	return new APIError("TOO_MANY_REQUESTS", body, { "Retry-After": String(seconds) });
}
