import { lineChart } from "../charts/line-chart";
import { type DatabaseType, NAMES } from "../host/database";
import { measureInRounds, type RoundOptions } from "../instruments/rounds";
import { ratioSpread, type Spread, spreadOf } from "../instruments/statistics";
import type { Population } from "../seeding/identities";
import { callOf, contestant, openHost } from "../setup/contestants";
import type { Measurement, Run } from "../setup/measurement";
import { type OperationName, tenantOperations } from "../setup/operations";

export interface ScaleFigure {
	database: DatabaseType;
	operation: OperationName;
	population: Population;
	/** Microseconds per call. */
	time: Spread;
	/** What a call costs, where one on the smallest database costs 1. */
	cost: Spread;
}

const GOAL = 1.15;

const OPERATIONS: OperationName[] = [
	"sign-up",
	"sign-in",
	"get-session",
	"get-session, tenant named",
	"social start",
	"tenant get",
	"config list",
	"tenant create",
];

const SIZES: Population[] = [
	{ tenants: 1, users: 10 },
	{ tenants: 1_000, users: 10_000 },
	{ tenants: 100_000, users: 100_000 },
	{ tenants: 100_000, users: 1_000_000 },
];

const QUICK_SIZES: Population[] = [
	{ tenants: 1, users: 10 },
	{ tenants: 100, users: 1_000 },
	{ tenants: 1_000, users: 10_000 },
];

export const largestOf = ({ quick }: Run): Population =>
	(quick ? QUICK_SIZES : SIZES).at(-1) as Population;

/** The same operations on small and large databases, for users and tenants all over them. */
export const scale: Measurement<ScaleFigure[]> = {
	name: "scale",
	async measure(run) {
		const figures: ScaleFigure[] = [];
		for (const type of run.scratch.types) figures.push(...(await compareSizes(run, type)));
		return figures;
	},
	tables: (figures) => [
		{
			title: `Cost of a call, times that at one tenant (goal: at most ${GOAL})`,
			columns: [
				"database",
				"operation",
				"tenants",
				"users",
				"µs",
				"cost",
				"half of all rounds",
				"",
			],
			rows: figures.map(({ database, operation, population, time, cost }) => [
				database,
				operation,
				population.tenants,
				population.users,
				Math.round(time.median),
				cost.median.toFixed(3),
				`${cost.q1.toFixed(3)} – ${cost.q3.toFixed(3)}`,
				cost.median <= GOAL ? "" : "MISSED",
			]),
		},
	],
	documented: (figures) => [
		{
			title: `Cost of a call, times that at one tenant and ten users (goal: at most ${GOAL})`,
			columns: ["database", "operation", "µs at one tenant", ...sizesIn(figures).slice(1)],
			rows: [...new Set(figures.map(({ database }) => database))].flatMap((database) =>
				OPERATIONS.map((operation) => {
					const own = figures.filter(
						(it) => it.database === database && it.operation === operation,
					);
					const [smallest, ...others] = own;
					return [
						database,
						operation,
						Math.round(smallest?.time.median ?? Number.NaN),
						...others.map(({ cost }) => withSpread(cost)),
					];
				}),
			),
		},
	],
	charts: (figures) =>
		Object.fromEntries(
			[...new Set(figures.map(({ database }) => database))].map((type) => [
				`scale-${type}.svg`,
				scaleChart(type, figures),
			]),
		),
};

const rounds = ({ quick }: Run): RoundOptions =>
	quick ? { rounds: 3, calls: 5, warmUp: 1 } : { rounds: 60, calls: 20, warmUp: 8 };

async function compareSizes(run: Run, database: DatabaseType): Promise<ScaleFigure[]> {
	const sizes = run.quick ? QUICK_SIZES : SIZES;
	const hosts = [];
	for (const size of sizes) {
		const address = await run.scratch.seeded(database, size);
		hosts.push(await openHost(address, { subject: "tenant" }));
	}
	const figures: ScaleFigure[] = [];
	for (const operation of OPERATIONS) {
		const contestants = hosts.map((host, index) =>
			contestant(callOf(host, tenantOperations(host, sizes[index] as Population)[operation])),
		);
		const times = await measureInRounds(contestants, rounds(run));
		const smallest = times[0]?.time ?? [];
		for (const [index, population] of sizes.entries()) {
			const own = times[index]?.time ?? [];
			const [time, cost] = [spreadOf(own), ratioSpread(own, smallest)];
			figures.push({ database, operation, population, time, cost });
		}
	}
	for (const host of hosts) await host.close();
	return figures;
}

const sizesIn = (figures: ScaleFigure[]) => [
	...new Set(figures.map(({ population }) => sizeText(population))),
];

const withSpread = ({ median, q1, q3 }: Spread) =>
	`${median.toFixed(2)} (${q1.toFixed(2)} – ${q3.toFixed(2)})${median <= GOAL ? "" : " MISSED"}`;

function scaleChart(type: DatabaseType, figures: ScaleFigure[]): string {
	const own = figures.filter(({ database }) => database === type);
	return lineChart({
		title: `Cost of a call on ${NAMES[type]}, times that at one tenant`,
		places: sizesIn(own),
		from: 0,
		limit: { value: GOAL, label: `goal ${GOAL}` },
		lines: OPERATIONS.map((operation) => ({
			name: operation,
			values: own.filter((it) => it.operation === operation).map(({ cost }) => cost.median),
		})),
	});
}

const short = (n: number) => (n >= 1_000_000 ? `${n / 1_000_000} M` : n.toLocaleString("en"));

const sizeText = ({ tenants, users }: Population) =>
	`${short(tenants)} tenant${tenants === 1 ? "" : "s"}, ${short(users)} users`;
