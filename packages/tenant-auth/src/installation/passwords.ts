import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { APIError } from "@better-auth/core/error";
import * as z from "zod";
import { currentScope, findCurrentTenantRow } from "../call/context/current-scope";
import { defineCallState, findEndpoint } from "../call/context/current-state";
import { rulesOf } from "../call/context/endpoint-rules";
import { endpointOf, requirePassword } from "../call/context/policy-check";
import type { PasswordCheck, TenantInstance } from "../call/context/request-state";
import { PLATFORM_ID, tenantIdIn } from "../call/context/tenant";
import { isPwned } from "../call/policy/breached-passwords";
import type { PasswordQueueLimits, ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";
import { fairQueue, QueueFullError } from "./fair-queue";
import { lightHook } from "./light-hook";

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

/** Better Auth reads `ctx.password` when it verifies, so a plugin may replace it. */
export function verifyByFeatures(
	ctx: AuthContext,
	verifiers: TenantInstance["features"]["verifyPassword"],
): Passwords {
	const { hash, verify } = ctx.password;
	if (verifiers.length === 0) return ctx.password;
	return {
		...ctx.password,
		verify: async (input) => {
			const stored = { stored: input.hash, password: input.password, hash };
			for (const verifyOwn of verifiers) {
				const isRight = await verifyOwn(ctx, stored);
				if (isRight !== null) return isRight === true;
			}
			return verify(input);
		},
	};
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
		const cannotReject = rulesOf(endpoint?.path).hashMustRun === true;
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

/** The hash of a sign-up. It is used once, and only in its own call. */
const prepared = defineCallState<{ current: Prepared | null }>(() => ({ current: null }));

interface Prepared {
	password: string;
	hash: Promise<string>;
}

/**
 * Hashes the password of a sign-up before core's endpoint, in the last of all hooks.
 *
 * Core hashes inside its transaction. There, sign-ups that wait for their turn hold connections of the
 * database, or the only one of SQLite, and requests that need no hash wait with them.
 */
export function hashBeforeSignUp(ctx: AuthContext): void {
	ctx.password = withPreparedHash(ctx.password);
	const before = [
		{
			matcher: ({ path }: { path?: string }) => rulesOf(path).hashesInTransaction === true,
			handler: lightHook(prepareHash),
		},
	];
	// It has nothing to do when a session is read.
	const plugin = { id: "tenant-auth-passwords", hooks: { before }, sessionRead: {} };
	ctx.options = { ...ctx.options, plugins: [...(ctx.options.plugins ?? []), plugin] };
}

function withPreparedHash(passwords: AuthContext["password"]): AuthContext["password"] {
	return {
		...passwords,
		async hash(password) {
			const call = prepared.find();
			if (call?.current?.password !== password) return passwords.hash(password);
			const { hash } = call.current;
			call.current = null;
			return hash;
		},
	};
}

const signUp = z.object({ name: z.string(), email: z.email(), password: z.string() });

async function prepareHash(ctx: GenericEndpointContext): Promise<void> {
	const { options, password: passwords } = ctx.context;
	const { minPasswordLength, maxPasswordLength } = passwords.config;
	const { data } = signUp.safeParse(ctx.body);
	// What core rejects before it hashes is not hashed here either.
	if (!data || !options.emailAndPassword?.enabled || options.emailAndPassword.disableSignUp) return;
	const { password } = data;
	if (password.length < minPasswordLength || password.length > maxPasswordLength) return;
	const hash = passwords.hash(password);
	// If it fails, it fails where core asks for it.
	await Promise.allSettled([hash]);
	prepared.get().current = { password, hash };
}

/**
 * Makes new passwords keep to the rules of the app and to the tenant's policy.
 *
 * Every new password is hashed, so the check is there, whatever endpoint it comes to. Core also hashes a
 * password that it cannot verify, to hide that a user does not exist: not at those endpoints.
 */
export function checkNewPasswords(passwords: Passwords, instance: TenantInstance): Passwords {
	return {
		...passwords,
		hash: async (password) => {
			const endpoint = findEndpoint();
			if (!endpoint || !endpointOf(endpoint).verifiesPassword) {
				await requirePassword(instance, await findCurrentTenantRow(instance), password);
			}
			return passwords.hash(password);
		},
	};
}

/** A password that could not be checked is refused: the app or the tenant asked for the check. */
export function passwordChecks(
	{ logger }: Pick<AuthContext, "logger">,
	{ isCommonPassword, isBreachedPassword = isPwned }: ResolvedOptions,
): Pick<TenantInstance, "isCommon" | "isBreached"> {
	const orRefuse =
		(check: (password: string) => boolean | Promise<boolean>): PasswordCheck =>
		async (password) => {
			try {
				return await check(password);
			} catch (cause) {
				logger.error("tenantAuth: a password could not be checked", cause);
				throw tenantError("PASSWORD_CHECK_UNAVAILABLE", { headers: { "Retry-After": "10" } });
			}
		};
	return {
		isCommon: isCommonPassword ? orRefuse(isCommonPassword) : null,
		isBreached: orRefuse(isBreachedPassword),
	};
}
