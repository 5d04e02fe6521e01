import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { serveStatic } from "@hono/node-server/serve-static";
import { isAPIError } from "better-auth/api";
import { runInTenant } from "better-auth-tenant";
import { Hono } from "hono";
import { csrf } from "hono/csrf";
import { createMiddleware } from "hono/factory";
import { auth, hosts, port } from "./auth.js";
import type { Note } from "./notes.js";

const app = new Hono();

app.on(["GET", "POST"], "/api/auth/*", (c) => {
	const headers = new Headers(c.req.raw.headers);
	// Rate limits count addresses. What a client sends in this header does not count. Behind a proxy, use
	// the header that the proxy sets.
	headers.set("x-forwarded-for", getConnInfo(c).remote.address ?? "");
	return auth.handler(new Request(c.req.raw, { headers }));
});

/** The headers name the host: a session of another tenant does not count. */
const signedIn = createMiddleware<{ Variables: { userId: string; tenantId: string } }>(
	async (c, next) => {
		const found = await auth.api.getSession({ headers: c.req.raw.headers });
		if (!found?.session.tenantId) return c.json({ message: "Sign in first" }, 401);
		c.set("userId", found.user.id);
		c.set("tenantId", found.session.tenantId);
		await next();
	},
);

/** Inside of `runInTenant`, it has the rows of this tenant only. No `where` can be forgotten. */
const database = async () => (await auth.$context).adapter;

// The page of another tenant is another site.
app.use(
	"/api/notes",
	csrf({ origin: (origin, c) => origin === `${hosts.baseURL.protocol}://${c.req.header("host")}` }),
);

app.get("/api/notes", signedIn, async (c) => {
	const notes = await runInTenant(auth, c.get("tenantId"), async () =>
		(await database()).findMany<Note>({
			model: "note",
			sortBy: { field: "createdAt", direction: "asc" },
		}),
	);
	return c.json(notes);
});

app.post("/api/notes", signedIn, async (c) => {
	const { text } = await c.req.json<{ text?: unknown }>();
	if (typeof text !== "string" || !text) return c.json({ message: "Write something" }, 400);
	const data = { text, userId: c.get("userId"), createdAt: new Date() };
	const note = await runInTenant(auth, c.get("tenantId"), async () =>
		(await database()).create<Omit<Note, "id">, Note>({ model: "note", data }),
	);
	return c.json(note, 201);
});

app.onError((error, c) => {
	// Such as the one for a tenant that does not exist.
	if (isAPIError(error)) return Response.json(error.body ?? {}, { status: error.statusCode });
	console.error(error);
	return c.json({ message: "Something went wrong" }, 500);
});

app.use(serveStatic({ root: "dist" }));

serve({ fetch: app.fetch, port }, () => console.log(`Open ${hosts.baseURL.fallback}`));
