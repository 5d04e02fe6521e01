import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

type Answer = string | ((response: ServerResponse) => void);

/** Publishes the metadata of an identity provider on loopback. The test may replace it. */
export async function metadataServer(first: Answer) {
	let current = first;
	const requests: string[] = [];
	const server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		if (typeof current === "string") response.end(current);
		else current(response);
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, "close");
	});
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/metadata?app=1`,
		origin: `http://127.0.0.1:${port}`,
		requests,
		publish: (answer: Answer) => {
			current = answer;
		},
	};
}
