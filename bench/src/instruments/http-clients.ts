/**
 * Clients that send requests over HTTP, each again as soon as it has a response, also if it was refused,
 * until they get a message. They have their own process, so that the CPU time of sending is not the server's.
 */
import { randomUUID } from "node:crypto";
import { Agent, type RequestOptions, request } from "node:http";

export interface ClientsTask {
	port: number;
	clients: number;
	act: "sign-in" | "sign-up" | "get-session";
	tenantId: string;
	email: string;
	password: string;
}

export interface ClientsReport {
	/** Milliseconds, of the calls that were not refused. */
	durations: number[];
	/** How many responses had which status. */
	statuses: Record<number, number>;
}

const task = JSON.parse(process.argv[2] ?? "") as ClientsTask;
const agent = new Agent({ keepAlive: true, maxSockets: task.clients });
const report: ClientsReport = { durations: [], statuses: {} };
let stopped = false;

process.once("message", () => {
	stopped = true;
});
process.send?.("begun");
await Promise.all(Array.from({ length: task.clients }, act));
process.send?.(report, () => process.exit());

async function act(): Promise<void> {
	const { tenantId, password } = task;
	while (!stopped) {
		const email = task.act === "sign-in" ? task.email : `${randomUUID()}@example.com`;
		const began = performance.now();
		const status = await send({ tenantId, name: "User", email, password });
		report.statuses[status] = (report.statuses[status] ?? 0) + 1;
		if (status !== 429 && status !== 503) report.durations.push(performance.now() - began);
	}
}

function send(body: object): Promise<number> {
	const { port, tenantId, act } = task;
	const headers = { "content-type": "application/json", "x-tenant-id": tenantId };
	const options: RequestOptions =
		act === "get-session"
			? { path: "/api/auth/get-session" }
			: { path: `/api/auth/tenant/${act}/email`, method: "POST" };
	return new Promise((resolve, reject) => {
		const sent = request({ agent, port, headers, ...options }, (response) => {
			response.resume().on("end", () => resolve(response.statusCode ?? 0));
		});
		sent.on("error", reject).end(act === "get-session" ? undefined : JSON.stringify(body));
	});
}
