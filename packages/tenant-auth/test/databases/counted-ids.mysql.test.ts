import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openMysql } from "../support/databases/databases";
import { type Instance, makeInstance } from "../support/worlds/instance";

const { mysql } = services;

describe.skipIf(!mysql)("counted ids on MariaDB", () => {
	let on: OpenDatabase;
	let app: Instance;

	beforeAll(async () => {
		if (!mysql) return;
		on = await openMysql(mysql);
		app = await makeInstance({ on, advanced: { database: { generateId: "serial" } } });
	});
	afterAll(() => on?.close());

	it("give everybody who signs in at the same time a session of their own", async () => {
		const people: { tenantId: string; email: string }[] = [];
		for (let n = 0; n < 12; n += 1) {
			const person = { tenantId: await app.makeTenant(), email: `person-${n}@example.com` };
			expect((await app.signUp(person.tenantId, person.email)).status).toBe(200);
			people.push(person);
		}
		const found = await Promise.all(
			[...people, ...people, ...people].map(async ({ tenantId, email }) => {
				const { cookie, body } = await app.signIn(tenantId, { email });
				const { session, user } = (await app.call("/get-session", { cookie })).body;
				return {
					tenantId: session.tenantId,
					email: user.email,
					isSame: body.token === session.token,
				};
			}),
		);
		expect(found).toEqual(
			[...people, ...people, ...people].map((person) => ({ ...person, isSame: true })),
		);
	});
});
