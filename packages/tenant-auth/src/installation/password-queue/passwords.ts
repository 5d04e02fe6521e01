import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { APIError } from "@better-auth/core/error";
import { currentScope } from "../../context/current-scope";
import { policyOf } from "../../context/endpoint-policies";
import type { TenantInstance } from "../../context/request-state";
import { PLATFORM_ID, tenantIdIn } from "../../context/scope";
import type { PasswordQueueLimits } from "../../password-queue-options";
import { tenantError } from "../../tenant-error";
import { fairQueue, QueueFullError } from "./fair-queue";

type Passwords = AuthContext["password"];

/** The queue that the running work came through. */
interface Running {
	getStore(): object | undefined;
	run<T>(queue: object, work: () => T): T;
}

/** One for all instances: each storage costs every promise of the process some time. */
let running: Promise<Running> | undefined;

function openRunning(): Promise<Running> {
	running ??= getAsyncLocalStorage().then((Storage) => new Storage<object>());
	return running;
}

/**
 * Puts a fair queue before the password hash, the app's own or core's. Everything that hashes or
 * verifies a password goes through it, also a hash that only hides that an email is unknown.
 *
 * Better Auth reads `ctx.password` when it hashes, so a plugin may replace it.
 */
export function queuePasswords(
	passwords: Passwords,
	limits: PasswordQueueLimits,
	instance: TenantInstance,
): Passwords {
	const queue = fairQueue(limits);
	const { hash, verify } = passwords;

	async function inTurn<T>(work: () => Promise<T>): Promise<T> {
		const storage = await openRunning();
		// The app's `verify` may hash an old password again. It must not wait for itself.
		if (storage.getStore() === queue) return work();
		const tenantId = tenantIdIn(await currentScope(instance)) ?? PLATFORM_ID;
		const endpoint = tryGetCurrentAuthEndpointContext();
		const cannotReject = policyOf(endpoint?.path).hashMustRun === true;
		return queue({
			tenantId,
			cannotReject,
			signal: cannotReject ? undefined : endpoint?.request?.signal,
			run: () => storage.run(queue, work),
		}).catch((error: unknown) => {
			throw error instanceof QueueFullError ? queueFull() : error;
		});
	}

	return {
		...passwords,
		hash: (password) => inTurn(() => hash(password)),
		verify: (input) => inTurn(() => verify(input)),
	};
}

/** A place is free as soon as one hash is done. */
function queueFull(): APIError {
	return tenantError("PASSWORD_QUEUE_FULL", { headers: { "Retry-After": "1" } });
}
