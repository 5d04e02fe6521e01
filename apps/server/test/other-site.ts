import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** Starts another site, which allows requests from every origin. */
export async function startOtherSite(html: string): Promise<string> {
	const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
	const server = createServer((_request, response) => response.writeHead(200, headers).end(html));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
