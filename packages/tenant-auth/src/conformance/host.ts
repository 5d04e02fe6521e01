import type { AuthContext } from "@better-auth/core";
import { getAsyncLocalStorage } from "@better-auth/core/async_hooks";
import { initGetDefaultModelName } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
// No other file of this folder imports from the plugin.
import { runAcrossTenants, runInTenant } from "../call/context/current-scope";
import { requireInstance } from "../call/context/current-state";
import { BEARER_PLUGINS, SHARED_TABLES } from "../call/foreign";
import { digest } from "../database/digest";
import { classifyTables } from "../isolation/tables";
import { resolveOptions } from "../options";
import { type Run, sharedChange } from "./shared-change";
import type { ConformanceAuth } from "./types";

/** What the check needs from the app's instance. */
export interface Host {
	ctx: AuthContext;
	handler: ConformanceAuth["handler"];
	tenantHeader: string;
	/** Models with tenant data, by their key in Better Auth's schema. */
	tenantModels: string[];
	/** Models that the app shares by `sharedTables`. */
	sharedModels: string[];
	/** Whether a model has a `tenantId` column. Other tenant models have row owners. */
	hasTenantColumn: (model: string) => boolean;
	/** With the base path. */
	baseURL: string;
	createTenant: (slug: string) => Promise<{ id: string }>;
	deleteTenant: (tenantId: string) => Promise<unknown>;
	/** Runs `work` in a tenant, or on the platform if the id is empty. */
	runIn: (tenantId: string) => Run;
	runAcrossTenants: Run;
	/** Whether a request may present its session as a bearer token. */
	acceptsBearer: boolean;
}

export async function inspectHost(auth: ConformanceAuth): Promise<Host> {
	const ctx = (await auth.$context) as AuthContext;
	const { api } = auth;
	const plugin = ctx.options.plugins?.find(({ id }) => id === "tenant-auth");
	if (!plugin || !isTenantApi(api)) {
		throw new BetterAuthError("checkTenantIsolation: this instance has no tenantAuth()");
	}
	const options = resolveOptions(plugin.options ?? {});
	const modelKey = initGetDefaultModelName({
		usePlural: ctx.adapter.options?.adapterConfig.usePlural,
		schema: ctx.tables,
	});
	const tables = classifyTables(ctx.tables, modelKey, options, requireInstance(ctx).features);
	const basePath = ctx.options.basePath ?? "/api/auth";
	return {
		ctx,
		handler: auth.handler,
		tenantHeader: options.tenantHeader,
		tenantModels: Object.keys(ctx.tables).filter((model) => tables.strategyOf(model) !== "shared"),
		sharedModels: tables.shared.filter((model) => !SHARED_TABLES.includes(model)),
		hasTenantColumn: (model) => tables.strategyOf(model) === "column",
		// It is empty if the app derives it from each request. With tenants by host name, other hosts
		// than those of the platform belong to one tenant or to nobody.
		baseURL:
			ctx.baseURL || `${options.hosts?.baseURL.fallback ?? "http://localhost:3000"}${basePath}`,
		createTenant: (slug) => api.createTenant({ body: { name: slug, slug } }),
		deleteTenant: (tenantId) => api.deleteTenant({ body: { tenantId } }),
		runIn: (tenantId) => (work) =>
			tenantId ? runInTenant({ $context: Promise.resolve(ctx) }, tenantId, work) : work(),
		runAcrossTenants,
		acceptsBearer: BEARER_PLUGINS.some(ctx.hasPlugin),
	};
}

interface TenantApi {
	createTenant: (input: { body: { name: string; slug: string } }) => Promise<{ id: string }>;
	deleteTenant: (input: { body: { tenantId: string } }) => Promise<unknown>;
}

const isTenantApi = (api: object): api is TenantApi =>
	"createTenant" in api && "deleteTenant" in api;

type Flag = { run: <T>(value: true, work: () => T) => T; getStore: () => unknown };

let blocked: Flag | undefined;

/** Replaces `fetch` by one that rejects inside {@link withoutNetwork} and nowhere else. */
const withBlockableFetch = sharedChange(() => {
	const original = globalThis.fetch;
	const blockable: typeof fetch = (input, init) =>
		blocked?.getStore()
			? Promise.reject(new TypeError("checkTenantIsolation: no network"))
			: original(input, init);
	globalThis.fetch = blockable;
	return () => {
		// If other code has wrapped it in the meantime, it stays below that wrapper and passes calls on.
		if (globalThis.fetch === blockable) globalThis.fetch = original;
	};
});

/** Runs `work` with a `fetch` that rejects. Code outside `work` keeps its network. */
export async function withoutNetwork<T>(work: () => Promise<T>): Promise<T> {
	const AsyncLocalStorage = await getAsyncLocalStorage();
	const flag: Flag = blocked ?? new AsyncLocalStorage();
	blocked = flag;
	return withBlockableFetch(() => flag.run(true, work));
}

const rateLimits = new WeakMap<AuthContext["rateLimit"], Run>();

/** Runs `work` with the rate limits of this instance switched off. */
export function withoutRateLimits<T>(ctx: AuthContext, work: () => Promise<T>): Promise<T> {
	const { rateLimit } = ctx;
	const run =
		rateLimits.get(rateLimit) ??
		sharedChange(() => {
			const { enabled } = rateLimit;
			rateLimit.enabled = false;
			return () => {
				rateLimit.enabled = enabled;
			};
		});
	rateLimits.set(rateLimit, run);
	return run(work);
}

/** What the hashes of {@link withFastPasswords} begin with. */
const FAST_HASH = "conformance:";

const passwords = new WeakMap<AuthContext["password"], Run>();

/**
 * Runs `work` with hashes that cost nothing: the check hashes more than a hundred passwords of its own
 * users. Other hashes are verified as before.
 */
export function withFastPasswords<T>(
	{ password }: AuthContext,
	work: () => Promise<T>,
): Promise<T> {
	const run =
		passwords.get(password) ??
		sharedChange(() => {
			const { hash, verify } = password;
			password.hash = async (text) => FAST_HASH + (await digest(text));
			password.verify = async (given) =>
				given.hash.startsWith(FAST_HASH)
					? given.hash === FAST_HASH + (await digest(given.password))
					: verify(given);
			return () => Object.assign(password, { hash, verify });
		});
	passwords.set(password, run);
	return run(work);
}
