import { caller, type OpenHost, openHost } from "./contestants";
import { openDatabase } from "./database";
import type { Subject } from "./host";
import type { Measurement, Run } from "./measurement";
import { plainOperations, type SharedOperation } from "./operations";
import { timeInRounds } from "./rounds";
import { seedDatabase } from "./seeding/seed-database";
import { ratioSpread, type Spread, spreadOf } from "./statistics";

export interface PlatformFigure {
	operation: SharedOperation;
	/** Microseconds per call. */
	without: Spread;
	with: Spread;
	/** How many calls there are with the plugin in the time of one without. */
	ratio: Spread;
}

const OPERATIONS: SharedOperation[] = ["sign-up", "sign-in", "get-session", "social start"];
const population = { tenants: 1, users: 500 };

/** Better Auth's own endpoints for users of no tenant, with the plugin installed and without it. */
export const platform: Measurement<PlatformFigure[]> = {
	name: "platform",
	async measure(run) {
		const hosts = [await open(run, "plain"), await open(run, "tenant")] as const;
		const figures: PlatformFigure[] = [];
		for (const operation of OPERATIONS) {
			const [bare = [], installed = []] = await timeInRounds(
				hosts.map((host) => caller(host, plainOperations(host, population)[operation])),
				run.quick ? { rounds: 4, calls: 5, warmUp: 1 } : { rounds: 60, calls: 25, warmUp: 8 },
			);
			figures.push({
				operation,
				without: spreadOf(bare),
				with: spreadOf(installed),
				ratio: ratioSpread(bare, installed),
			});
		}
		for (const host of hosts) await host.close();
		return figures;
	},
	tables: (figures) => [
		{
			title: "Better Auth's own endpoints for users of no tenant, on SQLite",
			columns: ["operation", "without µs", "with µs", "with/without", "half of all rounds"],
			rows: figures.map((figure) => [
				figure.operation,
				Math.round(figure.without.median),
				Math.round(figure.with.median),
				figure.ratio.median.toFixed(3),
				`${figure.ratio.q1.toFixed(3)} – ${figure.ratio.q3.toFixed(3)}`,
			]),
		},
	],
};

async function open({ scratch }: Run, subject: Subject): Promise<OpenHost> {
	const address = await scratch.create("sqlite");
	await seedDatabase({ address, subject, ...population });
	if (subject === "tenant") await makePlatformUsers(address);
	return openHost(address, { subject });
}

/** The platform is the tenant with no id. */
async function makePlatformUsers(address: string): Promise<void> {
	const { db, close } = openDatabase(address);
	for (const table of ["user", "account", "session"]) {
		await db.updateTable(table).set({ tenantId: "" }).execute();
	}
	await close();
}
