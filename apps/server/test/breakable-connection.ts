import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** A second URL for a store, whose connections can be broken. */
export async function breakableConnection(url: string) {
	let target = new URL(url);
	const sockets = new Set<Socket>();
	let isFrozen = false;
	let onResponse = (_to: string) => {};
	let sent = 0;
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		const upstream = connect(Number(target.port), target.hostname);
		sockets.add(upstream);
		upstream.on("error", () => socket.destroy());
		let last = "";
		socket.on("data", (data) => {
			sent += 1;
			last = String(data);
		});
		socket.pipe(upstream);
		socket.on("close", () => upstream.end());
		upstream.on("data", (data) => {
			onResponse(last);
			if (!isFrozen) socket.write(data);
		});
		upstream.on("end", () => socket.end());
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
		/** Connections stay open, and no response arrives any more. Those that missed one stay useless. */
		freeze: () => {
			isFrozen = true;
		},
		thaw: () => {
			isFrozen = false;
		},
		/** Calls a function before a response arrives, with the message that it responds to. */
		watchResponses: (watch: typeof onResponse) => {
			onResponse = watch;
		},
		/** How many messages the store got. A statement is one. */
		countSent: () => sent,
		restore: () => void server.listen(port, "127.0.0.1"),
	};
}
