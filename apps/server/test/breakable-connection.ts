import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A second URL for a store, whose connections can be broken. */
export async function breakableConnection(url: string) {
	let target = new URL(url);
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		const upstream = connect(Number(target.port), target.hostname);
		sockets.add(upstream);
		upstream.on("error", () => socket.destroy());
		socket.pipe(upstream).pipe(socket);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const disconnect = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	onTestFinished(() => {
		disconnect();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const proxy = new URL(url);
	proxy.hostname = "127.0.0.1";
	proxy.port = String(port);
	return {
		url: proxy.href,
		interrupt: () => {
			server.close();
			disconnect();
		},
		/** The same URL leads to another store, as with a proxy in front of both. */
		lead: (otherUrl: string) => {
			target = new URL(otherUrl);
			disconnect();
		},
		restore: () => void server.listen(port, "127.0.0.1"),
	};
}
