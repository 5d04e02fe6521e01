import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { databaseServers } from "../database-servers";
import { runningService } from "../running-service";
import { directories, runSequence } from "./directories";
import { directoryOf } from "./directory-of-people";
import { hostileRequests } from "./hostile-requests";
import { patch, person, scimTenant } from "./scim-tenant";

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`SCIM on ${name}`, () => {
		test("serves directories, and survives what they send", async () => {
			const service = await runningService({ SCIM: "true", DATABASE_URL: await createDatabase() });
			for (const [, steps] of notEmpty(directories)) {
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

		test("gives roles of groups, also if they change at the same time", async () => {
			const service = await runningService({ SCIM: "true", DATABASE_URL: await createDatabase() });
			const { scim, pushGroup, setRoles, roleOf, add } = await directoryOf(service, ["ada", "bob"]);
			const id = await pushGroup("Staff", ["ada"]);
			const roles = async () => [await roleOf("ada"), await roleOf("bob")];
			/** MariaDB may refuse a change that meets another one. Directories send it again. */
			const change = async (body: object) => {
				const first = await scim("PATCH", `/Groups/${id}`, body);
				return first.status === 409 ? scim("PATCH", `/Groups/${id}`, body) : first;
			};
			const atOnce = async (groupRoles: Record<string, string>, body: object) => {
				const done = await Promise.all([setRoles(groupRoles), change(body)]);
				expect(done.map(({ status }) => status)).toEqual([200, 200]);
			};
			await atOnce({ Staff: "admin" }, add("bob"));
			expect(await roles()).toEqual(["admin", "admin"]);
			const renamed = patch({ op: "replace", value: { displayName: "Others" } });
			await atOnce({ Others: "admin", Staff: "member" }, renamed);
			expect(await roles()).toEqual(["admin", "admin"]);
			expect((await setRoles({})).status).toBe(200);
			expect(await roles()).toEqual(["member", "member"]);
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
