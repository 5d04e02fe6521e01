import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { currentScope } from "../../context/current-scope";
import { ACROSS, findRequestScope, PLATFORM_ID } from "../../context/scope";
import { TENANT_AUTH_ERROR_CODES } from "../../error-codes";
import type { PasswordQueueLimits } from "../../password-queue-options";
import { fairQueue, QueueFull } from "./fair-queue";

type Passwords = AuthContext["password"];

/** The queue whose work is under way, to tell it from what is yet to wait. */
interface UnderWay {
	getStore(): object | undefined;
	run<T>(queue: object, work: () => T): T;
}

/** One for all instances: each that there is costs every promise of the process something. */
let underWay: Promise<UnderWay> | undefined;

function findUnderWay(): Promise<UnderWay> {
	underWay ??= getAsyncLocalStorage().then((Storage) => new Storage<object>());
	return underWay;
}

/**
 * Where a token was used up, or a user made, before the password is hashed. A refusal would leave that
 * half done, and nobody comes here in numbers: each call takes a token that was sent, or an
 * administrator.
 */
const NEVER_REFUSED = new Set([
	"/reset-password",
	"/email-otp/reset-password",
	"/phone-number/reset-password",
	"/admin/create-user",
]);

/**
 * Puts a fair queue before the password hash, the host's own or core's. All that hash or verify a
 * password go through it, also those that do it only to take as long for an unknown address.
 */
export function queuePasswords(passwords: Passwords, limits: PasswordQueueLimits): Passwords {
	const queue = fairQueue(limits);
	const { hash, verify } = passwords;

	async function inTurn<T>(work: () => Promise<T>): Promise<T> {
		const storage = await findUnderWay();
		// A host's `verify` may hash anew what an older scheme hashed. It must not wait for itself.
		if (storage.getStore() === queue) return work();
		const tenantId = await findTenantId();
		const endpoint = tryGetCurrentAuthEndpointContext();
		const isFirm = NEVER_REFUSED.has(endpoint?.path ?? "");
		return queue({
			tenantId,
			isFirm,
			signal: isFirm ? undefined : endpoint?.request?.signal,
			run: () => storage.run(queue, work),
		}).catch((error: unknown) => {
			throw error instanceof QueueFull ? refusal() : error;
		});
	}

	return {
		...passwords,
		hash: (password) => inTurn(() => hash(password)),
		verify: (input) => inTurn(() => verify(input)),
	};
}

/** Whose turn it is. A sign-up in a tenant that was there before need not have it looked up for that. */
async function findTenantId(): Promise<string> {
	const claim = findRequestScope()?.claim;
	if (claim?.joins) return claim.tenantId;
	const scope = await currentScope();
	return scope === ACROSS ? PLATFORM_ID : scope.tenantId;
}

/** A place is free again as soon as one hash is done. */
function refusal(): APIError {
	const { code, message } = TENANT_AUTH_ERROR_CODES.PASSWORD_QUEUE_FULL;
	return new APIError("TOO_MANY_REQUESTS", { code, message }, { "Retry-After": "1" });
}
