import { describe, expect, test } from "vitest";
import { databaseServers } from "../database-servers";
import { runningService } from "../running-service";
import { directories, runSequence } from "./directories";
import { hostileRequests } from "./hostile-requests";
import { patch, person, scimTenant } from "./scim-tenant";

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`SCIM on ${name}`, () => {
		test("serves directories, and survives what they send", async () => {
			const service = await runningService({ SCIM: "true", DATABASE_URL: await createDatabase() });
			for (const [, steps] of directories) {
				const { user } = await runSequence(service, steps);
				expect(user.disabledAt).not.toBeNull();
			}
			await hostileRequests(service);
		});

		test("serves many requests of a directory at the same time", async () => {
			const service = await runningService({ SCIM: "true", DATABASE_URL: await createDatabase() });
			const { scim, users } = await scimTenant(service);
			const emails = Array.from({ length: 12 }, (_, index) => `user${index}@example.com`);
			const made = await Promise.all(emails.map((it) => scim("POST", "/Users", person(it))));
			expect(made.map(({ status }) => status)).toEqual(emails.map(() => 201));
			const off = patch({ op: "replace", path: "active", value: false });
			const ended = await Promise.all(
				made.map(({ body }) => scim("PATCH", `/Users/${body.id}`, off)),
			);
			expect(ended.map(({ status }) => status)).toEqual(emails.map(() => 200));
			expect((await users()).filter(({ disabledAt }) => disabledAt)).toHaveLength(12);
		});

		test("keeps one of two owners whom a directory disables at the same time", async () => {
			const service = await runningService({ SCIM: "true", DATABASE_URL: await createDatabase() });
			const { scim, users, signUpAs } = await scimTenant(service);
			const owners = [await signUpAs("owner"), await signUpAs("owner", "second@example.com")];
			const made = [];
			for (const { email } of owners) made.push(await scim("POST", "/Users", person(email)));
			const off = patch({ op: "replace", path: "active", value: false });
			const ended = await Promise.all(
				made.map(({ body }) => scim("PATCH", `/Users/${body.id}`, off)),
			);
			expect(ended.map(({ status }) => status).sort()).toEqual([200, 409]);
			expect((await users()).filter(({ disabledAt }) => disabledAt)).toHaveLength(1);
		});
	});
}
