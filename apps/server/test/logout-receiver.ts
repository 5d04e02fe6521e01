import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRemoteJWKSet, jwtVerify } from "jose";
import type { IssuingTenant } from "./running-issuers";

type Received = { path: string; contentType: string | undefined; form: URLSearchParams };

/** The back-channel logout endpoint of an app, on this machine. */
export async function logoutReceiver(atTheEnd: (clean: () => Promise<void>) => void) {
	const received: Received[] = [];
	/** The statuses of the next responses. Then it is 200. */
	const statuses: number[] = [];
	/** Emits `call` after each request. */
	const calls = new EventEmitter();
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		received.push({
			path: request.url ?? "",
			contentType: request.headers["content-type"],
			form: new URLSearchParams(body),
		});
		const status = statuses.shift() ?? 200;
		response.writeHead(status, status === 302 ? { location: "/other" } : {}).end();
		calls.emit("call");
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	atTheEnd(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, "close");
	});
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	/** The claims of the logout tokens, verified as the specification says (section 2.6). */
	const verified = ({ issuer }: Pick<IssuingTenant, "issuer">, audience: string) =>
		Promise.all(
			received.map(async ({ form }) => {
				const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
				const options = { issuer, audience, typ: "logout+jwt", algorithms: ["RS256"] };
				return (await jwtVerify(form.get("logout_token") ?? "", keys, options)).payload;
			}),
		);
	return { url, received, statuses, calls, verified };
}
