// Serves the build.
import { serve } from "srvx";
import { staticMiddleware } from "srvx/static";

process.env.NODE_ENV ??= "production";
const port = Number(process.env.PORT ?? 3000);
const { default: app } = await import("./dist/server/server.js");

const server = serve({
	port,
	middleware: [staticMiddleware({ dir: "dist/client" })],
	fetch: (request) => app.fetch(request),
	silent: true,
});
await server.ready();
console.log(`Open ${process.env.BETTER_AUTH_URL ?? `http://localhost:${port}`}`);
