// Serves the build. SvelteKit accepts forms of this origin only.
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 3000);
process.env.NODE_ENV ??= "production";
process.env.ORIGIN ??= process.env.BETTER_AUTH_URL ?? `http://localhost:${port}`;

const { handler } = await import("./build/handler.js");
createServer(handler).listen(port, () => console.log(`Open ${process.env.ORIGIN}`));
