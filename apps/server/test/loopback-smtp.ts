import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";

type ReceivedMail = { from: string; to: string[]; data: string; credentials: string };

/**
 * A mail server that takes every mail (https://www.rfc-editor.org/rfc/rfc5321).
 *
 * @param refusals what it says to the first ones instead
 */
export async function loopbackSmtp(refusals: string[] = []) {
	const received: ReceivedMail[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		converse(socket, refusals, received);
	}).listen(0, "127.0.0.1");
	await new Promise((resolve) => server.once("listening", resolve));
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return { port: (server.address() as AddressInfo).port, received };
}

function converse(socket: Socket, refusals: string[], received: ReceivedMail[]): void {
	const say = (line: string) => socket.write(`${line}\r\n`);
	let credentials = "";
	let mail: ReceivedMail = { from: "", to: [], data: "", credentials };
	let isData = false;
	socket.on("error", () => {});
	say("220 loopback");
	createInterface({ input: socket }).on("line", (line) => {
		if (isData) {
			if (line !== ".") {
				mail.data += `${line}\n`;
				return;
			}
			isData = false;
			received.push(mail);
			return say("250 taken");
		}
		const [, command = "", address = ""] = /^(\S+)(?:.*<(.*)>)?/.exec(line) ?? [];
		switch (command.toUpperCase()) {
			case "EHLO":
				say("250-loopback");
				return say("250 AUTH PLAIN");
			case "AUTH":
				credentials = Buffer.from(line.split(" ")[2] ?? "", "base64")
					.toString()
					.split("\0")
					.filter(Boolean)
					.join(" ");
				return say("235 welcome");
			case "MAIL":
				mail = { from: address, to: [], data: "", credentials };
				return say(refusals.shift() ?? "250 ok");
			case "RCPT":
				mail.to.push(address);
				return say("250 ok");
			case "DATA":
				isData = true;
				return say("354 go on");
			case "QUIT":
				say("221 bye");
				return socket.end();
			default:
				return say("250 ok");
		}
	});
}
