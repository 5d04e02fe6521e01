/**
 * Sends requests over connections that stay open, as many as the load says. It is a process of its own:
 * what sending costs is not part of what the server costs.
 */
import { Agent, request } from "node:http";

export interface Load {
	port: number;
	/** What is sent in turn. */
	requests: SentRequest[];
	count: number;
	connections: number;
	/** Names another client IP address in this header of each request. */
	addressHeader?: string;
}

export interface SentRequest {
	path: string;
	headers: Record<string, string>;
	/** Then it is a POST. */
	body?: object;
}

export interface LoadReport {
	/** Microseconds, from the first request to the last response. */
	time: number;
	/** Microseconds of CPU time of the client. */
	cpu: number;
}

const agents = new Map<number, Agent>();
let addresses = 0;

process.on("message", async (load: Load) => process.send?.(await send(load)));

async function send(load: Load): Promise<LoadReport> {
	const agent = agents.get(load.port) ?? new Agent({ keepAlive: true });
	agents.set(load.port, agent);
	const used = process.cpuUsage();
	const startedAt = performance.now();
	let sent = 0;
	const connection = async () => {
		while (sent < load.count) {
			const next = load.requests[sent++ % load.requests.length];
			if (next) await sendOne(agent, load, next);
		}
	};
	await Promise.all(Array.from({ length: load.connections }, connection));
	const time = (performance.now() - startedAt) * 1000;
	const { user, system } = process.cpuUsage(used);
	return { time, cpu: user + system };
}

function sendOne(agent: Agent, load: Load, { path, headers, body }: SentRequest): Promise<void> {
	const { port, addressHeader } = load;
	const options = {
		...{ agent, port, path, host: "127.0.0.1", method: body ? "POST" : "GET" },
		headers: {
			...headers,
			...(body ? { "content-type": "application/json" } : {}),
			...(addressHeader ? { [addressHeader]: nextAddress() } : {}),
		},
	};
	return new Promise((resolve, reject) => {
		const sent = request(options, (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (piece) => {
				text += piece;
			});
			response.on("end", () => {
				if (response.statusCode === 200 && text !== "null") resolve();
				else reject(new Error(`${path} returned ${response.statusCode} ${text}`));
			});
		});
		sent.on("error", reject).end(body && JSON.stringify(body));
	});
}

const nextAddress = () => {
	const n = ++addresses;
	return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
};
