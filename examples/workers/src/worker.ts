import { getMigrations } from "better-auth/db/migration";
import { optionsFor, useAuth } from "./auth";
import type { Bindings } from "./bindings";

export default {
	async fetch(request: Request, env: Bindings): Promise<Response> {
		const { pathname } = new URL(request.url);
		if (pathname === "/migrate") return migrate(request, env);
		const auth = useAuth(env);
		if (pathname.startsWith("/api/auth/")) return auth.handler(request);
		if (pathname !== "/") return new Response(null, { status: 404 });
		const session = await auth.api.getSession({ headers: request.headers });
		if (!session) return Response.json({ message: "Sign in first" }, { status: 401 });
		return Response.json({ hello: session.user.name, tenantId: session.session.tenantId });
	},
};

/** The command line cannot reach D1. Call it after each deployment, and before other requests. */
async function migrate(request: Request, env: Bindings): Promise<Response> {
	const isAllowed = request.headers.get("authorization") === `Bearer ${env.MANAGEMENT_KEY}`;
	if (!isAllowed || request.method !== "POST") return new Response(null, { status: 401 });
	await (await getMigrations(optionsFor(env))).runMigrations();
	return new Response("The tables are up to date\n");
}
