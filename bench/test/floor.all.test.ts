import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../testing/services";
import type { DatabaseType, Statement } from "../src/host/database";
import { SPEED_OPERATIONS } from "../src/measurements/speed/speed-operations";
import {
	type OpenVariant,
	openVariant,
	type VariantName,
} from "../src/measurements/speed/variants";
import { tenantId } from "../src/seeding/identities";
import { seedDatabase } from "../src/seeding/seed-database";
import { get, sessionCookie, tenantOperations } from "../src/setup/operations";
import { openScratch, type Scratch } from "../src/setup/scratch";

const population = { tenants: 3, users: 20 };

const databases: [name: string, type: DatabaseType][] = [["SQLite", "sqlite"]];
if (services.postgres) databases.push(["PostgreSQL", "postgres"]);

/** A floor that does less than the plugin would be no floor. */
describe.each(databases)("the floor on %s", (_, type) => {
	let scratch: Scratch;
	let floor: OpenVariant;
	let ours: OpenVariant;
	const statements: Record<string, string[]> = { floor: [], ours: [] };

	beforeAll(async () => {
		scratch = openScratch({ postgres: services.postgres });
		const address = await scratch.create(type);
		await seedDatabase({ address, ...population });
		const open = (name: VariantName) =>
			openVariant(name, address, (statement) => statements[name]?.push(kindOf(statement)));
		floor = await open("floor");
		ours = await open("ours");
	});

	afterAll(async () => {
		await floor.close();
		await ours.close();
		await scratch.close();
	});

	it.each(SPEED_OPERATIONS.filter(({ variants }) => variants.includes("floor")))(
		"sends the statements of the plugin for $name",
		async ({ calls }) => {
			const sentBy = async (name: "floor" | "ours", open: OpenVariant) => {
				const call = await calls(name, open, population)(7);
				statements[name] = [];
				await call();
				return statements[name].toSorted();
			};
			expect(await sentBy("floor", floor)).toEqual(await sentBy("ours", ours));
		},
	);

	it.each(["get-session", "get-session, tenant named", "sign-in"] as const)(
		"answers %s as the plugin does",
		async (operation) => {
			const answerOf = async (open: OpenVariant) => {
				const request = await tenantOperations(open, population)[operation](7);
				return describeAnswer(await open.handler(request));
			};
			expect(await answerOf(floor)).toEqual(await answerOf(ours));
		},
	);

	it("signs in to a session that the plugin accepts", async () => {
		const request = await tenantOperations(floor, population)["sign-in"](7);
		const answer = await floor.handler(request);
		const cookie = String(answer.headers.get("set-cookie")).split(";")[0] ?? "";
		const { token } = (await answer.json()) as { token: string };
		expect(await ours.getSession(new Headers({ cookie }))).toMatchObject({ session: { token } });
	});

	it("accepts neither a forged cookie nor a session of another tenant", async () => {
		const { cookie } = await sessionCookie(7);
		const forged = get("/get-session", { cookie: cookie.replace("token=", "token=x") });
		const headers = { cookie, "x-tenant-id": tenantId(0) };
		for (const request of [forged, get("/get-session", headers)]) {
			for (const { handler } of [floor, ours]) {
				expect(await (await handler(request.clone())).json()).toBeNull();
			}
		}
	});
});

/** `select tenant`: the plugin and the floor write the same statement in different words. */
function kindOf({ sql }: Statement): string {
	const table = /(?:from|into|update) "(\w+)"/.exec(sql)?.[1];
	return `${sql.split(" ")[0]} ${table}`;
}

/** All of it, except what is random or the time of the call. */
async function describeAnswer(response: Response) {
	const cookie = response.headers.get("set-cookie")?.replace(/=[^;]+/, "=…");
	const headers = { ...Object.fromEntries(response.headers), "set-cookie": cookie };
	const body = (await response.json()) as { token?: string; session: { token: string } };
	if (!body.token) return { status: response.status, headers, body };
	expect(body.session.token).toBe(body.token);
	const kinds = Object.entries(body.session).map(([key, value]) => [key, typeof value]);
	const session = Object.fromEntries(kinds);
	return { status: response.status, headers, body: { ...body, token: "…", session } };
}
