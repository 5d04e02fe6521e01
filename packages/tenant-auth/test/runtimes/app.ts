import { type BetterAuthOptions, betterAuth } from "better-auth";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { getMigrations } from "better-auth/db/migration";
import { tenantAuth } from "better-auth-tenant";

type Handler = (request: Request) => Promise<Response>;

interface Databases {
	open: BetterAuthOptions["database"];
	guarded: BetterAuthOptions["database"];
}

/** As in `support/worlds/instance.ts`, which imports a native package. */
const MANAGEMENT_KEY = "management-key-of-the-tests";

/**
 * The app that every runtime runs, with the built package. It has two instances:
 *
 * - `/api/auth`: the provider of a tenant may be on loopback.
 * - `/guarded/auth`: the provider of a tenant must be public, as in production.
 */
export function makeHandler({ open, guarded }: Databases): Handler {
	const instances: Record<string, (origin: string) => Promise<Handler>> = {
		"/api/auth/": once((origin) => start("/api/auth", origin, open, true)),
		"/guarded/auth/": once((origin) => start("/guarded/auth", origin, guarded, false)),
	};
	return async (request) => {
		const { origin, pathname } = new URL(request.url);
		if (pathname === "/slow-verifications") return Response.json(slowVerifications);
		const [, instance] =
			Object.entries(instances).find(([basePath]) => pathname.startsWith(basePath)) ?? [];
		return instance ? (await instance(origin))(request) : new Response(null, { status: 404 });
	};
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
): Promise<Handler> {
	const options = {
		baseURL,
		basePath,
		database,
		secret: "a secret of thirty-two characters or more",
		telemetry: { enabled: false },
		rateLimit: { enabled: false },
		emailAndPassword: { enabled: true, password: { hash: hashPassword, verify } },
		plugins: [tenantAuth({ managementKeys: [MANAGEMENT_KEY], allowPrivateProviderHosts })],
	} satisfies BetterAuthOptions;
	await (await getMigrations(options)).runMigrations();
	return betterAuth(options).handler;
}
