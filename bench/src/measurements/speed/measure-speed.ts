import { barChart } from "../../charts/bar-chart";
import { type DatabaseType, NAMES, openDatabase, type Statement } from "../../host/database";
import { migrate, type Setting, type Subject } from "../../host/host";
import { allocatedPerCall } from "../../instruments/allocations";
import { measureInRounds } from "../../instruments/rounds";
import type { Population } from "../../seeding/identities";
import { seedDatabase } from "../../seeding/seed-database";
import { contestant } from "../../setup/contestants";
import type { Measurement, Run } from "../../setup/measurement";
import { measureHttp } from "./measure-http";
import { type SpeedFigure, speedFigure } from "./speed-figure";
import { OVER_HTTP, SPEED_OPERATIONS, type SpeedOperation } from "./speed-operations";
import { costTable, ratioTable } from "./speed-tables";
import { type OpenVariant, openVariant, VARIANTS, type VariantName } from "./variants";

/** By subject, the same users without a tenant, and the same with the tables of other plugins. */
type Addresses = Record<Place, string>;
type Place = "plain" | "tenant" | "platform" | "plain, 8 plugins" | "tenant, 8 plugins";

const USERS = 1_000;
const ONE = { tenants: 1, users: USERS };
const MANY = { tenants: 100, users: USERS };
const POPULATIONS: Record<Place, Population> = {
	...{ plain: ONE, tenant: MANY, platform: ONE },
	...{ "plain, 8 plugins": ONE, "tenant, 8 plugins": MANY },
};

/** The plugin beside plain Better Auth and beside code written by hand. */
export const speed: Measurement<SpeedFigure[]> = {
	name: "speed",
	async measure(run) {
		const operations = SPEED_OPERATIONS.filter(({ name }) => run.isWanted(name));
		const figures: SpeedFigure[] = [];
		for (const type of run.scratch.types.filter((it) => it !== "mysql")) {
			const addresses = await seedAll(run, type);
			for (const operation of operations) {
				figures.push(await measureOne(run, type, operation, addresses));
			}
			if (run.isWanted(OVER_HTTP.name)) figures.push(await measureHttp(run, type, addresses));
		}
		return figures;
	},
	tables: (figures) => [ratioTable(figures), costTable(figures)],
	charts: (figures) => ({
		"speed.svg": barChart({
			title: "Calls in the CPU time of one call of plain Better Auth",
			goal: { value: 1, label: "as fast as plain" },
			bars: figures.map(({ database, operation, times: { cpu } }) => ({
				group: operation,
				series: NAMES[database],
				...{ median: cpu, q1: cpu, q3: cpu },
			})),
		}),
	}),
};

async function seedAll({ scratch }: Run, type: DatabaseType): Promise<Addresses> {
	const seed = async (subject: Subject, population: Population, setting?: Setting) => {
		const address = await scratch.create(type);
		await seedDatabase({ address, subject, ...population });
		if (!setting) return address;
		const database = openDatabase(address);
		await migrate(database, { subject, setting });
		await database.close();
		return address;
	};
	const addresses: Addresses = {
		plain: await seed("plain", ONE),
		tenant: await seed("tenant", MANY),
		platform: await seed("tenant", ONE),
		"plain, 8 plugins": await seed("plain", ONE, "limits, 8 plugins"),
		"tenant, 8 plugins": await seed("tenant", MANY, "limits, 8 plugins"),
	};
	// The platform is the tenant with no id.
	const { db, close } = openDatabase(addresses.platform);
	for (const table of ["user", "account", "session"]) {
		await db.updateTable(table).set({ tenantId: "" }).execute();
	}
	await close();
	return addresses;
}

async function measureOne(
	{ quick }: Run,
	database: DatabaseType,
	operation: SpeedOperation,
	addresses: Addresses,
): Promise<SpeedFigure> {
	const { name, goal, variants: names } = operation;
	console.log(`${NAMES[database]}: ${name}`);
	const counter = { statements: 0 };
	const open = await openAll(names, operation, addresses);
	const counting = await openAll(names, operation, addresses, (statement) => {
		if (isQuery(statement)) counter.statements += 1;
	});
	const contestants = open.map((it, index) => callsOf(operation, names[index], it));
	const rounds = await measureInRounds(
		contestants,
		quick ? { rounds: 4, calls: 5, warmUp: 1 } : { rounds: 60, calls: 25, warmUp: 10 },
	);
	const measured = [];
	for (const [index, variant] of names.entries()) {
		const calls = (await contestants[index]?.prepare(quick ? 10 : 100)) ?? [];
		const allocated = Math.round(await allocatedPerCall(calls));
		const [first, second] = await callsOf(operation, variant, counting[index]).prepare(2);
		// The first may be somebody's first sign-in through a provider.
		await first?.();
		counter.statements = 0;
		await second?.();
		const { statements } = counter;
		const times = rounds[index] ?? { time: [], cpu: [] };
		measured.push({ name: variant, rounds: times, statements, allocated });
	}
	for (const it of [...open, ...counting]) await it.close();
	return speedFigure({ database, operation: name, ...(goal ? { goal } : {}) }, measured);
}

/** The database of a variant: where its users are. */
function placeOf(variant: VariantName, { users, setting }: SpeedOperation): Place {
	const { subject } = VARIANTS[variant];
	if (setting?.includes("8 plugins")) return `${subject}, 8 plugins`;
	return subject === "plain" ? "plain" : users;
}

function openAll(
	names: VariantName[],
	operation: SpeedOperation,
	addresses: Addresses,
	onStatement?: (statement: Statement) => void,
): Promise<OpenVariant[]> {
	return Promise.all(
		names.map((name) =>
			openVariant(name, addresses[placeOf(name, operation)], onStatement, operation.setting),
		),
	);
}

function callsOf(
	operation: SpeedOperation,
	name: VariantName | undefined,
	open: OpenVariant | undefined,
) {
	if (!name || !open) throw new Error("There is no such variant");
	return contestant(operation.calls(name, open, POPULATIONS[placeOf(name, operation)]));
}

const isQuery = ({ sql }: Statement) => !/^(begin|commit|rollback|savepoint|release)/i.test(sql);
