import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import {
	getCurrentDBAdapterAsyncLocalStorage,
	getRequestStateAsyncLocalStorage,
	tryGetCurrentAuthEndpointContext,
} from "@better-auth/core/context";
import { BetterAuthError } from "@better-auth/core/error";
import { openAdapterStorage } from "../../database/current-adapter";
import { RequestState, type TenantInstance } from "./request-state";
import { ALL_TENANTS, type TenantScope, tenantIdIn } from "./tenant";

/** Any instance: the type of its context depends on the app's options, so it is left open here. */
export interface AnyAuth {
	$context: Promise<object>;
}

/** Better Auth copies a call's context with all its properties. So every copy has the state. */
const STATE = Symbol.for("better-auth-tenant:state");
const INSTANCE = Symbol.for("better-auth-tenant:instance");
const NOTES = Symbol.for("better-auth-tenant:notes");

interface OwnProperties {
	[STATE]?: RequestState;
	[INSTANCE]?: TenantInstance;
	[NOTES]?: RequestNotes;
}

/** What is known of a request without its tenant. */
interface RequestNotes {
	/** Whether it is for one of our endpoints. */
	readonly isOurs?: boolean;
	/** Whether its call started with the state of the request around it. */
	readonly isNested?: boolean;
	/** The list of trusted origins that is limited to the host that was called. */
	readonly limitedOrigins?: string[];
}

const propertiesOf = (ctx: object): OwnProperties => ctx;

export const notesOf = (ctx: AuthContext): RequestNotes => propertiesOf(ctx)[NOTES] ?? {};

/** A new object: the context that this one was copied from keeps its own notes. */
export function addNotes(ctx: AuthContext, notes: RequestNotes): void {
	propertiesOf(ctx)[NOTES] = { ...notesOf(ctx), ...notes };
}

export async function installInstance(ctx: AuthContext, instance: TenantInstance): Promise<void> {
	await openAsyncContext();
	await openAdapterStorage();
	requestStores = await getRequestStateAsyncLocalStorage();
	propertiesOf(ctx)[INSTANCE] = instance;
}

export function requireInstance(ctx: object): TenantInstance {
	const instance = propertiesOf(ctx)[INSTANCE];
	if (!instance) throw new Error("this Better Auth instance has no tenantAuth()");
	return instance;
}

/** The context of the running endpoint. */
export const findEndpoint = () =>
	tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;

/** The state that a call's context has already: it runs as a part of another call. */
export const stateOfContext = (ctx: AuthContext): RequestState | null =>
	propertiesOf(ctx)[STATE] ?? null;

export function attachState(ctx: AuthContext, state: RequestState): void {
	propertiesOf(ctx)[STATE] = state;
}

/**
 * What Better Auth keeps for a request, with all calls inside of it.
 *
 * Inside a call of `auth.api`, Better Auth shows only the context of that call, not of the call around
 * it. And plugins call some endpoints as functions, with the context of the instance. Both belong to
 * the request too. Hooks and callbacks run in our own storage, so there the inner call is known.
 */
let requestStores: Awaited<ReturnType<typeof getRequestStateAsyncLocalStorage>> | undefined;

/**
 * Starts a call with a state of its own.
 *
 * @param outer the state of the call around it
 */
export function startState(
	endpoint: GenericEndpointContext,
	instance: TenantInstance,
	outer: RequestState | null,
): RequestState {
	// The call around it may be one of another instance. This one is still the inner one.
	const state = new RequestState(instance, findEntered() ?? outer, { endpoint });
	attachState(endpoint.context, state);
	const store = requestStores?.getStore();
	const known: RequestState[] | undefined = store?.get(instance);
	if (known) known.push(state);
	else store?.set(instance, [state]);
	return state;
}

/** The state of the running request; `ambiguous` if it has calls for several tenants. */
function findStateOfRequest(
	instance: TenantInstance | undefined,
): RequestState | "ambiguous" | null {
	const states: RequestState[] = (instance && requestStores?.getStore()?.get(instance)) ?? [];
	const tenants = new Set(states.map(({ scope }) => scope && tenantIdIn(scope)));
	return tenants.size > 1 ? "ambiguous" : (states[0] ?? null);
}

/** The state of the call around one that is about to start. */
export function findOuterState(instance: TenantInstance): RequestState | "ambiguous" | null {
	const entered = findEntered();
	return entered ? ofInstance(entered, instance) : findStateOfRequest(instance);
}

const findEntered = () => asyncContext()?.getStore() as RequestState | undefined;

export const ambiguousTenant = () =>
	new BetterAuthError(
		"tenantAuth: this code runs in a request that calls endpoints of several tenants, and it is unknown which of them it belongs to. Use runInTenant around the call.",
	);

/** For a context that is about to be dispatched as a part of the running call. */
export function withCurrentState<C extends AuthContext>(ctx: C): C {
	const state = findState();
	return state && state !== stateOfContext(ctx) ? { ...ctx, [STATE]: state } : ctx;
}

/**
 * The state of the running call, or `null` in code that runs in none.
 *
 * An endpoint's state is in its context, that of {@link runInScope} in our own storage. Both belong to
 * the same chain of calls, and the inner one is used.
 *
 * @param instance of which it must be; by default the innermost of any
 */
export function findState(instance?: TenantInstance): RequestState | null {
	const entered = findEntered();
	const endpoint = findEndpoint();
	const called = endpoint && stateOfContext(endpoint.context);
	const known = endpoint && propertiesOf(endpoint.context)[INSTANCE];
	const outside = called || entered ? null : findStateOfRequest(instance ?? known);
	if (outside === "ambiguous") throw ambiguousTenant();
	if (!instance) return inner(entered ?? null, called ?? outside);
	return inner(ofInstance(entered ?? null, instance), ofInstance(called ?? outside, instance));
}

function ofInstance(state: RequestState | null, instance: TenantInstance): RequestState | null {
	let own = state;
	while (own?.instance && own.instance !== instance) own = own.outer;
	return own;
}

function inner(one: RequestState | null, other: RequestState | null): RequestState | null {
	if (!one || !other) return one ?? other;
	return one.depth > other.depth ? one : other;
}

/** The state of the call that an endpoint or a hook runs in. */
export function requireState(ctx: AuthContext): RequestState {
	const state = stateOfContext(ctx);
	if (!state) throw new Error("there is no request whose tenant could be resolved");
	return state;
}

/** Runs `work` in a scope of its own, as a part of the running call. */
export async function runInScope<T>(
	instance: TenantInstance | null,
	scope: TenantScope,
	work: () => Promise<T>,
): Promise<T> {
	return enter(new RequestState(instance, findState(), { inside: true, scope }), work);
}

/** Runs `work` across all tenants, as a part of the running call. */
export async function acrossTenants<T>(work: () => Promise<T>): Promise<T> {
	const outer = findState();
	const state = new RequestState(null, outer, { inside: true, scope: ALL_TENANTS });
	return (asyncContext() ?? (await openAsyncContext())).run(state, work);
}

/**
 * Runs `work` in a state. Hooks that core puts off to the end of a transaction run in it too: they
 * would otherwise run in the scope in which the transaction ends.
 */
export async function enter<T>(state: RequestState, work: () => Promise<T>): Promise<T> {
	const context = await openAsyncContext();
	const adapters = await getCurrentDBAdapterAsyncLocalStorage();
	const running = adapters.getStore();
	if (!running?.isTransactionActive) return context.run(state, work);
	type Hook = () => Promise<void>;
	const pendingHooks: Hook[] = [];
	pendingHooks.push = (...hooks: Hook[]) =>
		running.pendingHooks.push(...hooks.map((hook) => () => context.run(state, hook)));
	return adapters.run({ ...running, pendingHooks }, () => context.run(state, work));
}

/** Runs a callback of the app or of a plugin so that everything in it belongs to the running call. */
export function inCurrentState<T>(work: () => T): T {
	const state = findState();
	return state ? inState(state, work) : work();
}

/** The same for a hook, which gets the context of its call. */
export function inStateOf<T>(ctx: AuthContext, work: () => T): T {
	const state = stateOfContext(ctx);
	return state ? inState(state, work) : work();
}

function inState<T>(state: RequestState, work: () => T): T {
	const context = asyncContext();
	return context && context.getStore() !== state ? context.run(state, work) : work();
}

/** Something that a feature keeps for the running call, as Better Auth's `defineRequestState` does. */
export function defineCallState<T>(init: () => T) {
	const key = {};
	return {
		/** `null` in code that runs in no call. */
		find: (): T | null => findState()?.slot(key, init) ?? null,
		get: (): T => {
			const state = findState();
			if (!state) throw new Error("there is no call to keep this for");
			return state.slot(key, init);
		},
	};
}

interface AsyncContext {
	getStore(): unknown;
	run<T>(store: unknown, work: () => T): T;
}

/**
 * On `globalThis`, so that all copies of this package in a process share it. Bundlers and hot reload
 * create such copies. With one storage per copy, `runInTenant` of the one would mean the platform to
 * the other.
 */
const KEY = Symbol.for("better-auth-tenant:async-context");
const registry = globalThis as { [KEY]?: AsyncContext };

/** Opens the storage. Must be awaited before the first request. */
async function openAsyncContext(): Promise<AsyncContext> {
	const storage = registry[KEY] ?? (await createAsyncContext());
	registry[KEY] ??= storage;
	return registry[KEY];
}

const NO_CONTEXT =
	"tenantAuth: this runtime has no working AsyncLocalStorage, so requests of different tenants cannot be kept apart. Use Node.js, Bun, Deno, or Cloudflare Workers with nodejs_compat.";

async function createAsyncContext(): Promise<AsyncContext> {
	const Storage = await getAsyncLocalStorage().catch((cause: unknown) => {
		throw new BetterAuthError(NO_CONTEXT, { cause });
	});
	const storage = new Storage<unknown>();
	await requireWorkingContext(storage);
	return storage;
}

/** The storage, if it is open. */
const asyncContext = (): AsyncContext | undefined => registry[KEY];

/**
 * Proves that two interleaved runs do not see each other.
 *
 * For runtimes without `AsyncLocalStorage`, Better Auth falls back to one global variable. There a
 * request would see the tenant of another one that runs at the same time.
 *
 * @throws BetterAuthError where it is so
 */
export async function requireWorkingContext(storage: AsyncContext): Promise<void> {
	const keepsItsStore = (store: object) =>
		storage.run(store, async () => {
			await Promise.resolve();
			return storage.getStore() === store;
		});
	const kept = await Promise.all([keepsItsStore({}), keepsItsStore({}), keepsItsStore({})]);
	if (kept.every(Boolean)) return;
	throw new BetterAuthError(NO_CONTEXT);
}
