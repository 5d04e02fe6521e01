import { type BetterAuthOptions, betterAuth } from "better-auth";
import { tenantAuth } from "better-auth-tenant";
import type { Bindings } from "./bindings";

export const optionsFor = (env: Bindings) =>
	({
		baseURL: env.BETTER_AUTH_URL,
		secret: env.BETTER_AUTH_SECRET,
		database: env.DB,
		emailAndPassword: { enabled: true },
		// workerd has no `NODE_ENV` that would turn it on, and the memory of an isolate is not shared.
		rateLimit: { enabled: true, storage: "database" },
		// Cloudflare sets it. A client can write anything into `x-forwarded-for`, and rate limits count addresses.
		advanced: { ipAddress: { ipAddressHeaders: ["cf-connecting-ip"] } },
		plugins: [tenantAuth({ managementKeys: [env.MANAGEMENT_KEY] })],
	}) satisfies BetterAuthOptions;

const start = (env: Bindings) => betterAuth(optionsFor(env));

let started: ReturnType<typeof start> | undefined;

/** Workers have their bindings in a request only. An isolate then keeps what was made of them. */
export function useAuth(env: Bindings) {
	started ??= start(env);
	return started;
}
