import { isAPIError } from "better-auth/api";
import { defineCallState } from "../../call/context/current-state";
import { findProviderProblem } from "../../call/context/provider-problem";
import type { InternalAdapter, StageParts } from "../../database/internal-adapter";

/** What core looked up and created in the running call. */
interface SignInNotes {
	/** The session that was created, until it is deleted again. */
	session: { token: string; userId: string } | null;
	/** Whom core has found by what was entered. */
	user: { id: string; hasPassword: boolean | null } | null;
}

const notes = defineCallState<SignInNotes>(() => ({ session: null, user: null }));

/** Returns the notes of the running call, and starts new ones. */
export function takeNotes(): SignInNotes {
	const current = notes.find();
	if (!current) return { session: null, user: null };
	const taken = { ...current };
	Object.assign(current, { session: null, user: null });
	return taken;
}

/**
 * Notes whom a sign-in is about. Core responds in the same way for an unknown email and for a wrong
 * password, so its response does not say.
 */
export function noteSignIns(inner: InternalAdapter): StageParts {
	const note = (changes: Partial<SignInNotes>) => {
		const current = notes.find();
		if (current) Object.assign(current, changes);
	};
	return {
		findUserByEmail: async (email, options) => {
			const found = await inner.findUserByEmail(email, options);
			if (found) {
				const hasPassword = options?.includeAccounts
					? found.accounts.some(({ providerId }) => providerId === "credential")
					: null;
				note({ user: { id: found.user.id, hasPassword } });
			}
			return found;
		},
		findUserById: async (userId) => {
			const user = await inner.findUserById(userId);
			if (user && !notes.find()?.user) note({ user: { id: user.id, hasPassword: null } });
			return user;
		},
		afterSession: async ({ token, userId }) => note({ session: { token, userId } }),
		deleteSession: async (token) => {
			await inner.deleteSession(token);
			// The two-factor plugin deletes the session that it wants a second factor for.
			if (notes.find()?.session?.token === token) note({ session: null });
		},
	};
}

export type SignInOutcome =
	| { result: "succeeded"; userId: string }
	| { result: "challenged"; userId: string | null }
	| { result: "failed"; userId: string | null; reason: string };

/**
 * What a response of a sign-in endpoint means; `null` if it ends no sign-in, for example at the start of
 * a social flow.
 *
 * @param returned a response, or an error: a redirect is one too
 */
export function outcomeOf(returned: unknown, { session, user }: SignInNotes): SignInOutcome | null {
	const userId = user?.id ?? null;
	const failure = findFailure(returned);
	if (failure === MALFORMED) return null;
	if (failure) return { result: "failed", userId, reason: refine(failure, user) };
	if (session) return { result: "succeeded", userId: session.userId };
	const { twoFactorRedirect }: { twoFactorRedirect?: unknown } = Object(returned);
	return twoFactorRedirect === true ? { result: "challenged", userId } : null;
}

/** Not an attempt to sign in. */
const MALFORMED = "VALIDATION_ERROR";

/** Codes of providers come from a URL. */
const CODE = /^[\w.-]{1,64}$/;
const OTHER = "OTHER";

function findFailure(returned: unknown): string | null {
	if (!isAPIError(returned)) return null;
	const isRedirect = returned.statusCode >= 300 && returned.statusCode < 400;
	const code = isRedirect ? errorIn(returned.headers) : (returned.body?.code ?? OTHER);
	if (code === null) return null;
	return CODE.test(code) ? code : OTHER;
}

/** Core redirects on failure and on success. */
export function errorIn(headers: ConstructorParameters<typeof Headers>[0]): string | null {
	const location = new Headers(headers).get("location") ?? "";
	const base = "http://relative";
	return URL.canParse(location, base) ? new URL(location, base).searchParams.get("error") : null;
}

/** Core and the username plugin hide which part was wrong. The log says it. */
const HIDING = new Set([
	"INVALID_EMAIL_OR_PASSWORD",
	"INVALID_USERNAME_OR_PASSWORD",
	"INVALID_PHONE_NUMBER_OR_PASSWORD",
]);

function refine(code: string, user: SignInNotes["user"]): string {
	if (!HIDING.has(code)) return findProviderProblem(code) ?? code;
	if (!user) return code === "INVALID_EMAIL_OR_PASSWORD" ? "USER_NOT_FOUND" : code;
	return user.hasPassword === false ? "NO_PASSWORD" : "INVALID_PASSWORD";
}
