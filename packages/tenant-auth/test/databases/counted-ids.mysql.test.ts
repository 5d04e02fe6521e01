import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { services } from "../../../../testing/services";
import { type OpenDatabase, openMysql } from "../support/databases/databases";
import { type Instance, makeInstance } from "../support/worlds/instance";

const { mysql } = services;

/** Better Auth asks any connection of the pool for the last id: see `database/inserted-rows.ts`. */
describe.skipIf(!mysql).each([true, false])(
	"counted ids on MariaDB, transactions: %s",
	(transactions) => {
		let on: OpenDatabase;
		let app: Instance;
		let people: { tenantId: string; email: string }[];

		beforeAll(async () => {
			if (!mysql) return;
			on = await openMysql(mysql);
			app = await makeInstance({
				...{ on, transactions },
				advanced: { database: { generateId: "serial" } },
			});
		});
		afterAll(() => on?.close());

		beforeEach(async () => {
			people = [];
			for (let n = 0; n < 12; n += 1) {
				const person = { tenantId: await app.makeTenant(), email: `person-${n}@example.com` };
				expect((await app.signUp(person.tenantId, person.email)).status).toBe(200);
				people.push(person);
			}
		});

		/** Everybody signs in three times, at the same time. */
		const signInTogether = () =>
			Promise.all(
				[...people, ...people, ...people].map(async (person) => {
					const { status, cookie } = await app.signIn(person.tenantId, { email: person.email });
					const { body } = await app.call("/get-session", { cookie });
					const found = body && { tenantId: body.session.tenantId, email: body.user.email };
					return { person, status, found };
				}),
			);

		it("give nobody the session of another person", async () => {
			for (const { person, found } of notEmpty(await signInTogether())) {
				if (found) expect(found).toEqual(person);
			}
		});

		it.runIf(transactions)("let everybody sign in at the same time", async () => {
			const failed = (await signInTogether()).filter(({ status }) => status !== 200);
			expect(possiblyEmpty(failed)).toEqual([]);
		});
	},
);
