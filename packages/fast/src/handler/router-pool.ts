import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { runWithAdapter } from "@better-auth/core/context";
import { router } from "better-auth/api";
import type { RequestContext } from "./request-context";

/** A router with a context of its own, which serves one request at a time. */
interface PooledRouter {
	context: AuthContext;
	handle(request: Request): Promise<Response>;
}

/** More requests at the same time than this get a router of their own, as in Better Auth's handler. */
const MAX_IDLE = 64;

/**
 * Keeps routers for later requests. Better Auth builds its endpoints and its router again for each
 * request, because they are bound to the context of that request. That took a fifth of the time of a
 * sign-in, and more with each plugin.
 */
export class RouterPool {
	readonly #base: AuthContext;
	readonly #options: BetterAuthOptions;
	readonly #idle = new Map<string, PooledRouter[]>();

	constructor(base: AuthContext, options: BetterAuthOptions) {
		this.#base = base;
		this.#options = options;
	}

	async handle(request: Request, own: RequestContext): Promise<Response> {
		// The path is the same for all hosts, unless a base URL has another one.
		const { pathname } = new URL(own.baseURL ?? this.#base.baseURL);
		const idle = this.#idle.get(pathname) ?? [];
		if (!this.#idle.has(pathname)) this.#idle.set(pathname, idle);
		const pooled = idle.pop() ?? this.#build(own);
		resetContext(pooled.context, this.#base, own);
		try {
			return await runWithAdapter(pooled.context.adapter, () => pooled.handle(request));
		} finally {
			if (idle.length < MAX_IDLE) idle.push(pooled);
		}
	}

	#build(own: RequestContext): PooledRouter {
		const context = copyOf(this.#base);
		Object.assign(context, own);
		return { context, handle: router(context, this.#options).handler };
	}
}

/** As Better Auth copies it for a request. */
function copyOf(base: AuthContext): AuthContext {
	return Object.create(Object.getPrototypeOf(base), Object.getOwnPropertyDescriptors(base));
}

/** Makes a context equal to a new copy. What the last request added or changed is gone. */
function resetContext(context: AuthContext, base: AuthContext, own: RequestContext): void {
	for (const key of Reflect.ownKeys(context)) {
		if (!Object.hasOwn(base, key)) Reflect.deleteProperty(context, key);
	}
	Object.assign(context, base, own);
}
