import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { cpus } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { toNodeHandler } from "better-auth/node";
import { createLoadShedder } from "fair-load-shedder";
import { requestGate } from "../../../apps/server/src/http/request-gate";
import { type DatabaseType, openDatabase } from "../host/database";
import { type HostOptions, makeHost, migrate } from "../host/host";
import type { ClientsReport, ClientsTask } from "../instruments/http-clients";
import type { Measurement, Run } from "../setup/measurement";

/** What one tenant sends while a single client of another signs in. */
interface Flood {
	name: string;
	act: ClientsTask["act"];
	clients: number;
}

interface Observed {
	/** Of the other tenant's sign-ins. */
	calls: number;
	p50: number;
	p99: number;
	/** How long the server's event loop was blocked, 99th percentile, milliseconds. */
	blocked: number;
	/** Of the flood, per second. */
	served: number;
	refused: number;
	/** The part of a core that the server's process uses. */
	cpu: number;
}

/** The password queue, and with "gate" also the gate of the service in front of everything. */
type Protection = "none" | "queue" | "gate";

export interface FloodFigure {
	database: DatabaseType;
	protection: Protection;
	idle: Observed;
	floods: (Observed & { flood: string; ratio: number })[];
}

const FLOODS: Flood[] = [
	{ name: "50 clients sign in", act: "sign-in", clients: 50 },
	{ name: "50 clients sign up", act: "sign-up", clients: 50 },
];

/** More than can wait: most are refused, and come again at once. */
const OVERFLOWS: Flood[] = [
	{ name: "300 clients sign in", act: "sign-in", clients: 300 },
	{ name: "300 clients read a session", act: "get-session", clients: 300 },
];

const FLOODS_OF: Record<Protection, Flood[]> = {
	none: FLOODS,
	queue: [...FLOODS, ...OVERFLOWS],
	gate: [...FLOODS, ...OVERFLOWS],
};

const MAX_RATIO = 3;
const MAX_BLOCKED = 20;
/** Of the clock that watches the event loop, in milliseconds. */
const RESOLUTION = 1;
/** How long a crowd is there before the other tenant's client comes, in seconds. */
const ARRIVAL = 3;
const PASSWORD = "correct horse battery staple";

/** One tenant sends a flood of sign-ins or sign-ups, another signs in: real scrypt, real HTTP. */
export const passwordFlood: Measurement<FloodFigure[]> = {
	name: "password-flood",
	async measure(run) {
		const figures: FloodFigure[] = [];
		// The queue does not depend on the database: two are enough.
		for (const database of run.scratch.types.filter((type) => type !== "mysql")) {
			for (const protection of ["gate", "queue", "none"] as const)
				figures.push(await measureOne(run, database, protection));
		}
		return figures;
	},
	tables: (figures) => [
		{
			title: `A tenant's sign-in while another tenant floods (goals: p99 at most ${MAX_RATIO} times idle, loop blocked at most ${MAX_BLOCKED} ms at p99)`,
			columns: [
				"database",
				"protection",
				"the other tenant",
				"calls",
				"p50",
				"p99",
				"× idle",
				"blocked",
				"served/s",
				"refused/s",
				"CPU",
				"goals",
			],
			rows: figures.flatMap(({ database, protection, idle, floods }) => [
				[database, protection, "is idle", ...cells(idle, 1), ""],
				...floods.map((it) => [
					...[database, protection, it.flood],
					...[...cells(it, it.ratio), verdict(it)],
				]),
			]),
		},
	],
};

const cells = (it: Observed, ratio: number) =>
	[it.calls, it.p50, it.p99, ratio, it.blocked, it.served, it.refused, it.cpu].map(
		(value, column) => (column === 0 ? value : value.toFixed(1)),
	);

const verdict = ({ ratio, blocked }: { ratio: number; blocked: number }) =>
	ratio <= MAX_RATIO && blocked <= MAX_BLOCKED ? "met" : "MISSED";

async function measureOne(
	run: Run,
	type: DatabaseType,
	protection: Protection,
): Promise<FloodFigure> {
	const seconds = run.quick ? 2 : 15;
	const options: HostOptions = {
		subject: "tenant",
		hash: "scrypt",
		...(protection === "none" ? { tenants: { passwordQueue: false } } : {}),
	};
	const database = openDatabase(await run.scratch.create(type));
	await migrate(database, options);
	const auth = makeHost(database, options);
	const [flooder, other] = [await addTenant(auth, "flooder"), await addTenant(auth, "other")];
	const handle = toNodeHandler(auth);
	const { port, close } = await serve(protection === "gate" ? gated(handle) : handle);
	try {
		const observe = (flood?: Flood) => observeOther({ port, flooder, other, flood, seconds });
		await observeOther({ port, flooder, other, seconds: run.quick ? 1 : 5 });
		const idle = await observe();
		const floods = [];
		for (const flood of FLOODS_OF[protection]) {
			const observed = await observe(run.quick ? { ...flood, clients: 5 } : flood);
			floods.push({ ...observed, flood: flood.name, ratio: observed.p99 / idle.p99 });
		}
		return { database: type, protection, idle, floods };
	} finally {
		await close();
		await database.close();
	}
}

/** As in the service. */
function gated(handle: ReturnType<typeof toNodeHandler>): RequestListener {
	const gate = requestGate({
		shedder: createLoadShedder(),
		tenantHosts: null,
		trustedProxies: { hops: 0 },
		trustedOrigins: [],
		metrics: { countRefusal: () => {}, watchLoad: () => {} },
		log: { warn: () => {} },
	});
	return (incoming, outgoing) => gate(incoming, outgoing, () => handle(incoming, outgoing));
}

interface Account {
	tenantId: string;
	email: string;
	password: string;
}

async function addTenant(auth: ReturnType<typeof makeHost>, slug: string): Promise<Account> {
	const api = auth.api as unknown as Record<
		"createTenant" | "signUpEmailTenant",
		(input: { body: object }) => Promise<{ id: string }>
	>;
	const { id: tenantId } = await api.createTenant({ body: { name: slug, slug } });
	const account = { tenantId, email: "ada@example.com", password: PASSWORD };
	await api.signUpEmailTenant({ body: { ...account, name: "Ada" } });
	return account;
}

async function serve(listener: RequestListener) {
	// A connection that is not used for a while stays: some calls wait for long.
	const server = createServer({ keepAliveTimeout: 0 }, listener).listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		port: (server.address() as AddressInfo).port,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

interface Scene {
	port: number;
	flooder: Account;
	other: Account;
	flood?: Flood | undefined;
	seconds: number;
}

async function observeOther({ port, flooder, other, flood, seconds }: Scene): Promise<Observed> {
	const crowd =
		flood && (await start({ ...flooder, port, act: flood.act, clients: flood.clients }));
	// The crowd has arrived, and the queue is as long as it gets.
	if (crowd) await sleep(ARRIVAL * 1000);
	const single = await start({ ...other, port, act: "sign-in", clients: 1 });
	const delay = monitorEventLoopDelay({ resolution: RESOLUTION });
	delay.enable();
	const before = process.cpuUsage();
	await sleep(seconds * 1000);
	const { user, system } = process.cpuUsage(before);
	delay.disable();
	const { durations, statuses } = await single.stop();
	const sent = await crowd?.stop();
	if (Object.keys(statuses).join() !== "200")
		throw new Error(`responses: ${JSON.stringify(statuses)}`);
	const crowdSeconds = ARRIVAL + seconds;
	const sorted = durations.toSorted((a, b) => a - b);
	const at = (percent: number) =>
		sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
	return {
		calls: sorted.length,
		p50: at(50),
		p99: at(99),
		blocked: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION),
		served: (sent?.statuses[200] ?? 0) / crowdSeconds,
		refused: ((sent?.statuses[429] ?? 0) + (sent?.statuses[503] ?? 0)) / crowdSeconds,
		cpu: (user + system) / 1e6 / seconds,
	};
}

async function start(task: ClientsTask) {
	const child = fork(fileURLToPath(new URL("../instruments/http-clients.ts", import.meta.url)), [
		JSON.stringify(task),
	]);
	await once(child, "message");
	pinToLastCore(child.pid);
	return {
		async stop(): Promise<ClientsReport> {
			child.send("stop");
			const [report] = await once(child, "message");
			return report;
		},
	};
}

/** On Linux, clients run on the last core only. So they cannot take all of them from the server. */
function pinToLastCore(pid: number | undefined): void {
	const last = cpus().length - 1;
	if (process.platform !== "linux" || last < 1) return;
	execFileSync("taskset", ["-acp", String(last), String(pid)]);
}
