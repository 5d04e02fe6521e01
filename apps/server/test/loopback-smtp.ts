import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

type ReceivedEmail = { from: string; to: string[]; data: string; credentials: string };

/**
 * An SMTP server that accepts every email (https://www.rfc-editor.org/rfc/rfc5321).
 *
 * @param rejections its replies to the first emails
 */
export async function loopbackSmtp(rejections: string[] = []) {
	const received: ReceivedEmail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		handleConnection(socket, rejections, received);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return { port: (server.address() as AddressInfo).port, received };
}

function handleConnection(socket: Socket, rejections: string[], received: ReceivedEmail[]): void {
	const reply = (line: string) => socket.write(`${line}\r\n`);
	let credentials = "";
	let email: ReceivedEmail = { from: "", to: [], data: "", credentials };
	let isData = false;
	socket.on("error", () => {});
	reply("220 loopback");
	createInterface({ input: socket }).on("line", (line) => {
		if (isData) {
			if (line !== ".") {
				email.data += `${line}\n`;
				return;
			}
			isData = false;
			received.push(email);
			return reply("250 accepted");
		}
		const [, command = "", address = ""] = /^(\S+)(?:.*<(.*)>)?/.exec(line) ?? [];
		switch (command.toUpperCase()) {
			case "EHLO":
				reply("250-loopback");
				return reply("250 AUTH PLAIN");
			case "AUTH":
				credentials = Buffer.from(line.split(" ")[2] ?? "", "base64")
					.toString()
					.split("\0")
					.filter(Boolean)
					.join(" ");
				return reply("235 welcome");
			case "MAIL":
				email = { from: address, to: [], data: "", credentials };
				return reply(rejections.shift() ?? "250 ok");
			case "RCPT":
				email.to.push(address);
				return reply("250 ok");
			case "DATA":
				isData = true;
				return reply("354 go on");
			case "QUIT":
				reply("221 bye");
				return socket.end();
			default:
				return reply("250 ok");
		}
	});
}
