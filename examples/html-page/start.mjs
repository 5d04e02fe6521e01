// Starts the service, and serves the folder `page` on another port. Any server for static files will do.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { authUrl, startService } from "./service.mjs";

const { PORT = "4000" } = process.env;
const origin = `http://localhost:${PORT}`;

const { clientId } = await startService({
	name: "HTML page",
	type: "spa",
	redirectUris: [`${origin}/`],
	postLogoutRedirectUris: [`${origin}/`],
	allowedOrigins: [origin],
	firstParty: true,
});

const files = {
	"/": ["text/html", new URL("page/index.html", import.meta.url)],
	"/app.js": ["text/javascript", new URL("page/app.js", import.meta.url)],
	"/oauth4webapi.js": ["text/javascript", new URL(import.meta.resolve("oauth4webapi"))],
};

createServer(async (request, response) => {
	const [pathname] = request.url.split("?");
	if (pathname === "/settings.json") {
		response.setHeader("content-type", "application/json");
		return response.end(JSON.stringify({ authUrl, clientId }));
	}
	const [type, file] = files[pathname] ?? [];
	if (!file) return response.writeHead(404).end();
	response.setHeader("content-type", `${type}; charset=utf-8`);
	response.end(await readFile(file));
}).listen(Number(PORT), "localhost", () => console.log(`Open ${origin}`));
