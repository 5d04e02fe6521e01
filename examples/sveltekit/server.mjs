// Serves the build. SvelteKit accepts forms of the host that they are sent to only.
import { createServer } from "node:http";

const port = Number(process.env.PORT ?? 3000);
const domain = process.env.DOMAIN ?? `localhost:${port}`;
const protocol = /^localhost(:|$)/.test(domain) ? "http" : "https";
process.env.NODE_ENV ??= "production";
process.env.PROTOCOL_HEADER = "x-forwarded-proto";

const { handler } = await import("./build/handler.js");
const server = createServer((request, response) => {
	// The protocol that browsers use. What a client sends in this header does not count.
	request.headers["x-forwarded-proto"] = protocol;
	handler(request, response);
});
server.listen(port, () => console.log(`Open ${protocol}://${domain}`));
