import { type DatabaseType, NAMES } from "../../host/database";
import { MANAGEMENT_KEY, ORIGIN } from "../../host/host";
import { tenantId } from "../../seeding/identities";
import type { Measurement, Run } from "../../setup/measurement";
import { type StreamFigure, streamAll } from "./stream-all";
import { type CallFigure, openTimedHost } from "./timed-host";

export interface ListFigures {
	type: DatabaseType;
	tenants: number;
	users: number;
	ofTenants: CallFigure[];
	ofUsers: CallFigure[];
	/** All tenants in one response. */
	stream: StreamFigure;
}

/** Lists and searches many tenants and the users of a large tenant, and suspends that tenant. */
export const list: Measurement<ListFigures[]> = {
	name: "list",
	async measure(run) {
		const figures: ListFigures[] = [];
		for (const type of run.scratch.types) {
			const ofTenants = await measureTenants(type, run);
			figures.push({ type, ...ofTenants, ...(await measureUsers(type, run)) });
		}
		return figures;
	},
	tables: (figures) => [
		{
			title: "Lists: milliseconds and statements of a call",
			columns: ["database", "list", "call", "p50 ms", "slowest ms", "statements", "calls"],
			rows: figures.flatMap(({ type, tenants, users, ofTenants, ofUsers }) => [
				...rowsOf(type, `${tenants.toLocaleString("en")} tenants`, ofTenants),
				...rowsOf(type, `${users.toLocaleString("en")} users of a tenant`, ofUsers),
			]),
		},
		{
			title: "All tenants in one response, and the memory of the process in MB",
			columns: ["database", "first byte ms", "whole ms", "MB", "heap", "at most", "RSS", "at most"],
			rows: figures.map(({ type, stream: it }) => [
				...[NAMES[type], it.first, it.whole, it.megabytes],
				...[it.heapBefore, it.heapAtMost, it.residentBefore, it.residentAtMost],
			]),
		},
	],
};

const rowsOf = (type: DatabaseType, title: string, calls: CallFigure[]) =>
	calls.map((it) => [
		...[NAMES[type], title, it.name, it.p50.toFixed(1), it.slowest.toFixed(1)],
		...[it.statements, it.calls],
	]);

const PAGE = 50;
const callsIn = ({ quick }: Run) => (quick ? 4 : 40);

async function measureTenants(type: DatabaseType, run: Run) {
	const tenants = run.quick ? 2_000 : 100_000;
	const address = await run.scratch.seeded(type, { tenants, users: tenants });
	const host = openTimedHost(address, callsIn(run));
	const time = (name: string, query: Query) => host.time(name, () => page("/tenant/list", query));
	const ofTenants = [
		await time("first page", {}),
		await time("first page, not counted", { total: "none" }),
		await time("last page, not counted", { order: "newest", total: "none" }),
		await time("last page by offset", { offset: tenants - PAGE }),
		await time("search", { search: "ant-19" }),
		await time("search with _", { search: "_19" }),
	];
	const stream = await streamAll(host, get("/tenant/list"));
	await host.close();
	return { tenants, ofTenants, stream };
}

async function measureUsers(type: DatabaseType, run: Run) {
	const users = run.users ?? (run.quick ? 2_000 : 1_000_000);
	const address = await run.scratch.seeded(type, { tenants: 1, users });
	const host = openTimedHost(address, callsIn(run));
	const large = { tenantId: tenantId(0) };
	const time = (name: string, query: Query) =>
		host.time(name, () => page("/tenant/user/list", { ...large, ...query }));
	const ofUsers = [
		await time("first page", {}),
		await time("first page, not counted", { total: "none" }),
		await time("last page, not counted", { order: "oldest", total: "none" }),
		await time("last page by offset", { offset: users - PAGE }),
		await time("search an email", { search: `person-${users >> 1}@example.com` }),
		await time("search a part", { search: "son-19" }),
		await time("search what nobody has", { search: "nobody" }),
		await host.time("suspend, resume", (n) =>
			post(n % 2 === 0 ? "/tenant/suspend" : "/tenant/resume", large),
		),
	];
	await host.close();
	return { users, ofUsers };
}

type Query = Record<string, string | number>;

const management = { authorization: `Bearer ${MANAGEMENT_KEY}` };

const get = (path: string) => new Request(`${ORIGIN}/api/auth${path}`, { headers: management });

function page(path: string, query: Query): Request {
	const parameters = new URLSearchParams({ limit: String(PAGE) });
	for (const [name, value] of Object.entries(query)) parameters.set(name, String(value));
	return get(`${path}?${parameters}`);
}

const post = (path: string, body: object) =>
	new Request(`${ORIGIN}/api/auth${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...management },
		body: JSON.stringify(body),
	});
