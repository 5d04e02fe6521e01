// A host whose code asks for another tenant's rows by name. Run as a program, under any NODE_ENV.
import { runInTenant } from "better-auth-tenant";
import { makeInstance } from "../worlds/instance";

interface Outcome {
	/** What came back, or the code of what was thrown. */
	found: unknown;
	counted: unknown;
	changed: unknown;
	/** What the host's log holds. */
	log: string[];
	/** How the other tenant's user is called afterwards. */
	name: unknown;
}

export async function askForAnotherTenant(): Promise<Outcome> {
	const log: string[] = [];
	const instance = await makeInstance({
		logger: { log: (level, message, ...rest) => log.push([level, message, ...rest].join(" ")) },
	});
	const { auth, db, makeTenant, signUp } = instance;
	const [own, other] = [await makeTenant(), await makeTenant()];
	await signUp(own, "ada@example.com");
	await signUp(other, "ada@example.com");
	const { adapter } = await auth.$context;
	const where = [{ field: "tenantId", value: other }];
	const tryTo = (work: () => Promise<unknown>) =>
		runInTenant(auth, own, work).catch((error: { body?: { code?: string } }) => error.body?.code);
	log.length = 0;
	async function theMistakenFunction() {
		const users = await adapter.findMany({ model: "user", where });
		return users;
	}
	const found = await tryTo(theMistakenFunction);
	const counted = await tryTo(() => adapter.count({ model: "user", where }));
	const update = { name: "Taken over" };
	const changed = await tryTo(() => adapter.updateMany({ model: "user", where, update }));
	const row = await db
		.selectFrom("user")
		.select("name")
		.where("tenantId", "=", other)
		.executeTakeFirst();
	return { found, counted, changed, log, name: row?.name };
}

if (process.argv.includes("--print")) {
	process.stdout.write(`${JSON.stringify(await askForAnotherTenant())}\n`);
}
