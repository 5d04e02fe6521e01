import { type DatabaseType, openDatabase, type Statement } from "./database";
import { makeHost, type Subject } from "./host";
import type { Measurement, Run } from "./measurement";
import { operationsOf, perform, type RequestMaker } from "./operations";
import { seedDatabase } from "./seeding/seed-database";

interface Count {
	statements: number;
	adapterCalls: number;
}

export interface StatementFigure {
	database: DatabaseType;
	operation: string;
	/** Absent where plain Better Auth has nothing like it. */
	plain?: Count;
	tenant: Count;
}

/** How much each operation asks of the database: exact, and the same on every machine. */
export const statements: Measurement<StatementFigure[]> = {
	name: "statements",
	async measure(run) {
		const figures: StatementFigure[] = [];
		for (const database of run.scratch.types) {
			const plain = await countAll(run, database, "plain");
			const tenant = await countAll(run, database, "tenant");
			for (const [operation, count] of tenant) {
				const floor = plain.get(operation);
				figures.push({ database, operation, tenant: count, ...(floor ? { plain: floor } : {}) });
			}
		}
		return figures;
	},
	tables: (figures) => [
		{
			title: "SQL statements and adapter calls per operation (begin and commit not counted)",
			columns: ["database", "operation", "plain", "ours", "more", "plain calls", "our calls"],
			rows: figures.map(({ database, operation, plain, tenant }) => [
				database,
				operation,
				plain?.statements ?? "",
				tenant.statements,
				plain ? tenant.statements - plain.statements : "",
				plain?.adapterCalls ?? "",
				tenant.adapterCalls,
			]),
		},
	],
};

async function countAll({ scratch }: Run, type: DatabaseType, subject: Subject) {
	const population = { tenants: subject === "plain" ? 1 : 5, users: 10 };
	const address = await scratch.create(type);
	await seedDatabase({ address, subject, ...population });
	const count: Count = { statements: 0, adapterCalls: 0 };
	const database = openDatabase(address, {
		onStatement: (statement) => {
			if (isQuery(statement)) count.statements += 1;
		},
	});
	const auth = makeHost(database, {
		subject,
		onAdapterCall: () => {
			count.adapterCalls += 1;
		},
	});
	await auth.$context;
	const counted = new Map<string, Count>();
	for (const [operation, request] of Object.entries(operationsOf(subject, auth, population))) {
		counted.set(operation, await countOne(request));
	}
	await database.close();
	return counted;

	/** The second time: the first may be somebody's first sign-in through a provider. */
	async function countOne(makeRequest: RequestMaker): Promise<Count> {
		await perform(auth, await makeRequest(0));
		const request = await makeRequest(0);
		Object.assign(count, { statements: 0, adapterCalls: 0 });
		await perform(auth, request);
		return { ...count };
	}
}

const isQuery = ({ sql }: Statement) => !/^(begin|commit|rollback|savepoint|release)/i.test(sql);
