import { type BetterAuthOptions, betterAuth } from "better-auth";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { getMigrations } from "better-auth/db/migration";
import { fastHandler, fastStatements } from "better-auth-fast";
import { tenantAuth } from "better-auth-tenant";
import { createLoadShedder, type LoadShedder } from "fair-load-shedder";

type Handler = (request: Request) => Promise<Response>;

interface Databases {
	open: BetterAuthOptions["database"];
	guarded: BetterAuthOptions["database"];
	fast: BetterAuthOptions["database"];
}

/** The packages that the app uses as they are published. */
export const PACKAGES = ["better-auth-tenant", "better-auth-fast", "fair-load-shedder"];

/** As in `support/worlds/instance.ts`, which imports a native package. */
const MANAGEMENT_KEY = "management-key-of-the-tests";

/**
 * The app that every runtime runs, with the built package. It has three instances:
 *
 * - `/api/auth`: the provider of a tenant may be on loopback.
 * - `/guarded/auth`: the provider of a tenant must be public, as in production.
 * - `/fast/auth`: `fastHandler()` and `fastStatements()`, behind the load shedder where it works.
 */
export function makeHandler({ open, guarded, fast }: Databases): Handler {
	const { shedder, reason } = makeShedder();
	const instances: Record<string, (origin: string) => Promise<Handler>> = {
		"/api/auth/": once(async (origin) => (await start("/api/auth", origin, open, true)).handler),
		"/guarded/auth/": once(
			async (origin) => (await start("/guarded/auth", origin, guarded, false)).handler,
		),
		"/fast/auth/": once(async (origin) => {
			const plugins = [fastStatements()];
			const handler = fastHandler(await start("/fast/auth", origin, fast, false, plugins));
			return async (request) => {
				const admission = await shedder?.admit({ tenant: null, address: "127.0.0.1" });
				if (!admission) return handler(request);
				if (admission.refusal) return new Response(null, { status: admission.refusal.status });
				return handler(request).finally(admission.release);
			};
		}),
	};
	return async (request) => {
		const { origin, pathname } = new URL(request.url);
		if (pathname === "/slow-verifications") return Response.json(slowVerifications);
		if (pathname === "/load") return Response.json(shedder?.load ?? reason);
		const [, instance] =
			Object.entries(instances).find(([basePath]) => pathname.startsWith(basePath)) ?? [];
		return instance ? (await instance(origin))(request) : new Response(null, { status: 404 });
	};
}

/** It does not work in every runtime, and says so. */
function makeShedder(): { shedder?: LoadShedder; reason?: string } {
	try {
		return { shedder: createLoadShedder() };
	} catch (error) {
		return { reason: String(error) };
	}
}

/** The port is known when the first request comes. */
function once<T>(make: (origin: string) => Promise<T>): (origin: string) => Promise<T> {
	let made: Promise<T> | undefined;
	return (origin) => {
		made ??= make(origin);
		return made;
	};
}

/** A wrong password that takes a while. */
export const SLOW_PASSWORD = "a slow password";

/** How many slow passwords were verified so far. */
let slowVerifications = 0;

async function verify(input: { hash: string; password: string }): Promise<boolean> {
	if (input.password !== SLOW_PASSWORD) return verifyPassword(input);
	slowVerifications += 1;
	await new Promise((resolve) => setTimeout(resolve, 1000));
	return false;
}

async function start(
	basePath: string,
	baseURL: string,
	database: BetterAuthOptions["database"],
	allowPrivateProviderHosts: boolean,
	plugins: BetterAuthOptions["plugins"] = [],
) {
	const options = {
		baseURL,
		basePath,
		database,
		secret: "a secret of thirty-two characters or more",
		telemetry: { enabled: false },
		rateLimit: { enabled: false },
		emailAndPassword: { enabled: true, password: { hash: hashPassword, verify } },
		plugins: [
			...plugins,
			tenantAuth({ managementKeys: [MANAGEMENT_KEY], allowPrivateProviderHosts }),
		],
	} satisfies BetterAuthOptions;
	await (await getMigrations(options)).runMigrations();
	return betterAuth(options);
}
