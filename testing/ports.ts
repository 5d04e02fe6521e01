import { randomInt } from "node:crypto";
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

/**
 * Below the ports that systems give to outgoing connections: 32768 and more on Linux. So is a port that is
 * higher by 10000, which a node of a Redis cluster uses too.
 */
const FIRST = 10_240;
const LAST = 22_767;

/**
 * A port on which nobody listens. No connection takes it before the program of a test listens there, or
 * while that program is started again.
 */
export async function freePort(): Promise<number> {
	const port = randomInt(FIRST, LAST + 1);
	const server = createServer().listen(port, "127.0.0.1");
	try {
		await once(server, "listening");
	} catch {
		return freePort();
	}
	server.close();
	await once(server, "close");
	return port;
}
