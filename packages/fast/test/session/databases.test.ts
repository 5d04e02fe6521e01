import { fastHandler, fastStatements } from "better-auth-fast";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "../../../tenant-auth/test/support/databases/databases";
import { eachDatabase } from "../../../tenant-auth/test/support/databases/each-database";
import {
	type RecordedDatabase,
	recordStatements,
} from "../../../tenant-auth/test/support/databases/recorded-database";
import {
	EMAIL,
	type Instance,
	makeInstance,
	ORIGIN,
	PASSWORD,
} from "../../../tenant-auth/test/support/worlds/instance";

describe.each(eachDatabase)("a direct read of the session on %s", (_, open) => {
	let on: OpenDatabase;
	let recorded: RecordedDatabase;
	let app: Instance;
	let tenantId: string;
	let cookie: string;
	let userId: string;

	beforeAll(async () => {
		on = await open();
		recorded = recordStatements(on);
		app = await makeInstance({
			on: recorded,
			plugins: [fastStatements()],
			pluginsFirst: true,
			user: {
				additionalFields: {
					level: { type: "number", required: false, defaultValue: 7 },
					settings: { type: "json", required: false, defaultValue: { dark: true } },
					since: { type: "date", required: false, defaultValue: () => new Date(1_700_000_000_000) },
				},
			},
		});
		tenantId = await app.makeTenant();
		const signedUp = await app.signUp(tenantId, EMAIL, PASSWORD);
		cookie = signedUp.cookie;
		userId = signedUp.body.user.id;
	});

	afterAll(() => on.close());

	/** What a handler responds, and with how many statements. */
	async function ask(handler: (request: Request) => Promise<Response>) {
		recorded.statements.length = 0;
		const headers = { cookie, "x-tenant-id": tenantId };
		const response = await handler(new Request(`${ORIGIN}/api/auth/get-session`, { headers }));
		const { status, headers: sent } = response;
		const described = { status, headers: [...sent], body: await response.text() };
		return { described, statements: recorded.statements.length };
	}

	it("is one statement, and gives the response of Better Auth", async () => {
		const expected = await ask(app.auth.handler);
		const found = await ask(fastHandler(app.auth));
		expect(found).toEqual({ ...expected, statements: 1 });
		// With `TEST_HANDLER=fast`, both are ours.
		expect(expected.statements).toBe(process.env.TEST_HANDLER === "fast" ? 1 : 2);
		expect(JSON.parse(found.described.body)).toMatchObject({ user: { tenantId, level: 7 } });
	});

	it("sees a suspended tenant and a disabled user at once", async () => {
		const handler = fastHandler(app.auth);
		const bodyOf = async () => (await ask(handler)).described.body;
		expect(await bodyOf()).toContain(tenantId);
		await app.manage("/tenant/suspend", { body: { tenantId } });
		expect(await bodyOf()).toContain("TENANT_SUSPENDED");
		await app.manage("/tenant/resume", { body: { tenantId } });
		expect(await bodyOf()).toContain(tenantId);
		await app.manage("/tenant/user/disable", { body: { tenantId, userId } });
		expect(await bodyOf()).toBe("null");
	});
});
