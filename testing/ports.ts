import { once } from "node:events";
import { connect, createServer } from "node:net";

export async function canConnect(port: number): Promise<boolean> {
	const socket = connect(port, "127.0.0.1");
	try {
		await once(socket, "connect");
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

export async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	server.close();
	await once(server, "close");
	if (typeof address !== "object" || !address) throw new Error("no port");
	return address.port;
}
