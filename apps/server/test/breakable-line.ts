import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** Another address for a store, whose line can be cut. */
export async function breakableLine(address: string) {
	const target = new URL(address);
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on("error", () => {});
		const onward = connect(Number(target.port), target.hostname);
		sockets.add(onward);
		onward.on("error", () => socket.destroy());
		socket.pipe(onward).pipe(socket);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	const hangUp = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	onTestFinished(() => {
		hangUp();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const url = new URL(address);
	url.hostname = "127.0.0.1";
	url.port = String(port);
	return {
		url: url.href,
		cut: () => {
			server.close();
			hangUp();
		},
		mend: () => void server.listen(port, "127.0.0.1"),
	};
}
