import { barChart } from "./charts/bar-chart";
import { caller, openHost } from "./contestants";
import type { DatabaseType } from "./database";
import type { Hash } from "./host";
import type { Measurement, Run } from "./measurement";
import {
	plainOperations,
	SHARED_OPERATIONS,
	type SharedOperation,
	tenantOperations,
} from "./operations";
import { type RoundOptions, timeInRounds } from "./rounds";
import { seedDatabase } from "./seeding/seed-database";
import { ratioSpread, type Spread, spreadOf } from "./statistics";

export interface SpeedFigure {
	database: DatabaseType;
	hash: Hash;
	operation: SharedOperation;
	/** Microseconds per call. */
	plain: Spread;
	tenant: Spread;
	/** How many calls the plugin makes in the time of one of plain Better Auth's. */
	ratio: Spread;
	goal?: number;
}

const GOALS: Record<Hash, Partial<Record<SharedOperation, number>>> = {
	cheap: { "sign-in": 0.95, "get-session": 0.95 },
	scrypt: { "sign-in": 0.99 },
};

const HASHED = ["sign-up", "sign-in"] as const;

/** The plugin beside plain Better Auth, each on a database of its own with as many users. */
export const speed: Measurement<SpeedFigure[]> = {
	name: "speed",
	async measure(run) {
		const figures: SpeedFigure[] = [];
		for (const type of run.scratch.types) {
			figures.push(...(await compare(run, type, "cheap", SHARED_OPERATIONS, cheapRounds(run))));
			figures.push(...(await compare(run, type, "scrypt", HASHED, scryptRounds(run))));
		}
		return figures;
	},
	tables: (figures) => [
		{
			title: "Calls per second, the plugin against plain Better Auth",
			columns: [
				"database",
				"hash",
				"operation",
				"plain µs",
				"ours µs",
				"ours/plain",
				"half of all rounds",
				"goal",
			],
			rows: figures.map(({ database, hash, operation, plain, tenant, ratio, goal }) => [
				database,
				hash,
				operation,
				Math.round(plain.median),
				Math.round(tenant.median),
				ratio.median.toFixed(3),
				`${ratio.q1.toFixed(3)} – ${ratio.q3.toFixed(3)}`,
				goal ? `${goal} ${ratio.median >= goal ? "met" : "MISSED"}` : "",
			]),
		},
	],
	charts: (figures) => ({
		"speed.svg": barChart({
			title: "Calls per second beside plain Better Auth (1 = as many)",
			goal: { value: 0.95, label: "goal 0.95" },
			bars: figures
				.filter(({ hash }) => hash === "cheap")
				.map(({ database, operation, ratio }) => ({
					group: operation,
					series: database,
					...ratio,
				})),
		}),
	}),
};

const cheapRounds = ({ quick }: Run): RoundOptions =>
	quick ? { rounds: 4, calls: 5, warmUp: 1 } : { rounds: 80, calls: 25, warmUp: 10 };

const scryptRounds = ({ quick }: Run): RoundOptions =>
	quick ? { rounds: 2, calls: 1, warmUp: 1 } : { rounds: 25, calls: 4, warmUp: 2 };

async function compare(
	{ scratch, quick }: Run,
	type: DatabaseType,
	hash: Hash,
	operations: readonly SharedOperation[],
	rounds: RoundOptions,
): Promise<SpeedFigure[]> {
	const population = quick ? { tenants: 10, users: 100 } : { tenants: 100, users: 1000 };
	const plain = { tenants: 1, users: population.users };
	const addresses = [await scratch.create(type), await scratch.create(type)] as const;
	await seedDatabase({ address: addresses[0], hash, subject: "plain", ...plain });
	await seedDatabase({ address: addresses[1], hash, subject: "tenant", ...population });
	const plainHost = await openHost(addresses[0], { subject: "plain", hash });
	const tenantHost = await openHost(addresses[1], { subject: "tenant", hash });
	const plainRequests = plainOperations(plainHost, plain);
	const tenantRequests = tenantOperations(tenantHost, population);
	const figures: SpeedFigure[] = [];
	for (const operation of operations) {
		const [onPlain = [], onTenant = []] = await timeInRounds(
			[caller(plainHost, plainRequests[operation]), caller(tenantHost, tenantRequests[operation])],
			rounds,
		);
		const goal = GOALS[hash][operation];
		figures.push({
			database: type,
			hash,
			operation,
			plain: spreadOf(onPlain),
			tenant: spreadOf(onTenant),
			ratio: ratioSpread(onPlain, onTenant),
			...(goal ? { goal } : {}),
		});
	}
	await plainHost.close();
	await tenantHost.close();
	return figures;
}
