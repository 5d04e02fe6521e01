import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { lineChart } from "./charts/line-chart";
import { caller, type OpenHost, openHost } from "./contestants";
import { ORIGIN } from "./host";
import type { Measurement, Run } from "./measurement";
import { timeInRounds } from "./rounds";
import { seedDatabase } from "./seeding/seed-database";
import { fitLine, ratioSpread, type Spread, spreadOf } from "./statistics";

export interface RouterFigures {
	/** Microseconds for a request that does nothing, with so many endpoints added to Better Auth's own. */
	plain: { added: number; time: Spread }[];
	/** With the plugin in their place. */
	tenant: { added: number; time: Spread };
	/** Microseconds that each endpoint adds to every request. */
	perEndpoint: number;
	/** Time of a request with the plugin, where one without it takes 1. */
	cost: Spread;
}

const ADDED = [0, 12, 24, 48, 96];

/**
 * Better Auth builds its router anew for every request. What that costs for each endpoint is measured
 * with ones that nobody calls.
 */
export const router: Measurement<RouterFigures> = {
	name: "router",
	async measure(run) {
		const hosts: OpenHost[] = [];
		for (const added of ADDED) hosts.push(await makePlain(run, added));
		hosts.push(await makeWithPlugin(run));
		const timings = await timeInRounds(
			hosts.map((host) => caller(host, () => new Request(`${ORIGIN}/api/auth/ok`))),
			run.quick ? { rounds: 4, calls: 10, warmUp: 1 } : { rounds: 120, calls: 40, warmUp: 15 },
		);
		for (const host of hosts) await host.close();
		const plain = ADDED.map((added, index) => ({ added, time: spreadOf(timings[index] ?? []) }));
		const [bare = [], withPlugin = []] = [timings[0], timings.at(-1)];
		return {
			plain,
			tenant: { added: await countEndpoints(), time: spreadOf(withPlugin) },
			perEndpoint: fitLine(plain.map(({ added, time }) => [added, time.median])).slope,
			cost: ratioSpread(withPlugin, bare),
		};
	},
	tables: ({ plain, tenant, perEndpoint, cost }) => [
		{
			title: `A request that does nothing: ${perEndpoint.toFixed(2)} µs for each endpoint`,
			columns: ["host", "endpoints added", "µs", "half of all rounds"],
			rows: [
				...plain.map(({ added, time }) => row("plain Better Auth", added, time)),
				row(`with the plugin (${cost.median.toFixed(3)} times plain)`, tenant.added, tenant.time),
			],
		},
	],
	charts: ({ plain, tenant }) => ({
		"router.svg": lineChart({
			title: "A request that does nothing, µs, by the number of endpoints added",
			places: plain.map(({ added }) => String(added)),
			from: 0,
			limit: {
				value: tenant.time.median,
				label: `with the plugin (${tenant.added} endpoints)`,
			},
			lines: [{ name: "plain Better Auth", values: plain.map(({ time }) => time.median) }],
		}),
	}),
};

const row = (host: string, added: number, { median, q1, q3 }: Spread) => [
	host,
	added,
	Math.round(median),
	`${Math.round(q1)} – ${Math.round(q3)}`,
];

async function makePlain({ scratch }: Run, added: number): Promise<OpenHost> {
	const address = await scratch.create("sqlite");
	await seedDatabase({ address, subject: "plain", tenants: 1, users: 1 });
	return openHost(address, { subject: "plain", plugins: [idleEndpoints(added)] });
}

async function makeWithPlugin({ scratch }: Run): Promise<OpenHost> {
	const address = await scratch.create("sqlite");
	await seedDatabase({ address, tenants: 1, users: 1 });
	return openHost(address, { subject: "tenant" });
}

function idleEndpoints(count: number): BetterAuthPlugin {
	const endpoints = Array.from({ length: count }, (_, n) => [
		`idle${n}`,
		createAuthEndpoint(`/idle/${n}/endpoint`, { method: "POST" }, async () => ({})),
	]);
	return { id: "idle", endpoints: Object.fromEntries(endpoints) };
}

async function countEndpoints(): Promise<number> {
	const { tenantAuth } = await import("better-auth-tenant");
	return Object.keys(tenantAuth().endpoints).length;
}
