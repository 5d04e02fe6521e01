import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import { syncBuiltinESMExports } from "node:module";

/**
 * A real DNS server on loopback, which this process asks until it is closed.
 *
 * @param records the texts of each name
 */
export async function startDnsServer(records: ReadonlyMap<string, string[]> = new Map()) {
	const socket = createSocket("udp4");
	socket.on("message", (query, { port, address }) => {
		socket.send(answerOf(query, records), port, address);
	});
	await new Promise<void>((resolve) => {
		socket.bind(0, "127.0.0.1", resolve);
	});
	const before = dns.getServers();
	setServers([`127.0.0.1:${socket.address().port}`]);
	return {
		async close(): Promise<void> {
			setServers(before);
			await new Promise<void>((resolve) => {
				socket.close(resolve);
			});
		},
	};
}

/** Modules that have imported functions of `node:dns/promises` get new ones. */
function setServers(servers: string[]): void {
	dns.setServers(servers);
	syncBuiltinESMExports();
}

const HEADER = 12;

/** @see https://datatracker.ietf.org/doc/html/rfc1035#section-4 */
function answerOf(query: Buffer, records: ReadonlyMap<string, string[]>): Buffer {
	const labels: string[] = [];
	let end = HEADER;
	for (let length = query[end] ?? 0; length > 0; length = query[end] ?? 0) {
		labels.push(query.toString("ascii", end + 1, end + 1 + length));
		end += 1 + length;
	}
	const question = query.subarray(HEADER, end + 5);
	const texts = records.get(labels.join(".")) ?? [];
	const header = Buffer.alloc(HEADER);
	query.copy(header, 0, 0, 2);
	// A response; without a record the name does not exist.
	header.writeUInt16BE(texts.length > 0 ? 0x8580 : 0x8583, 2);
	header.writeUInt16BE(1, 4);
	header.writeUInt16BE(texts.length, 6);
	return Buffer.concat([header, question, ...texts.map(textRecord)]);
}

function textRecord(text: string): Buffer {
	const record = Buffer.alloc(12);
	// The name of the question, type TXT, class IN, and no time to live.
	record.writeUInt16BE(0xc000 + HEADER, 0);
	record.writeUInt16BE(16, 2);
	record.writeUInt16BE(1, 4);
	record.writeUInt16BE(text.length + 1, 10);
	return Buffer.concat([record, Buffer.from([text.length]), Buffer.from(text)]);
}
