import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { newTenant, newUser, runningService } from "./running-service";
import { mysqlDatabase } from "./temporary-database";

describe.skipIf(!services.mysql)("the service on MySQL", () => {
	test("names in any script and times are stored without changes", async () => {
		const DATABASE_URL = await mysqlDatabase(services.mysql ?? "");
		const { post } = await runningService({ DATABASE_URL });
		const tenant = { "x-tenant-id": await newTenant(post) };
		const user = { ...newUser("ada@example.com"), name: "Ада 👩‍🔬 愛" };
		const before = Date.now() - 2000;
		const response = await post("/tenant/sign-up/email", user, tenant);
		const { user: made } = (await response.json()) as {
			user: { name: string; createdAt: string };
		};
		expect(made.name).toBe(user.name);
		expect(Date.parse(made.createdAt)).toBeGreaterThan(before);
		expect(Date.parse(made.createdAt)).toBeLessThan(Date.now() + 2000);
	});

	test("a database in another character set is rejected with instructions", async () => {
		const DATABASE_URL = await mysqlDatabase(services.mysql ?? "", "latin1");
		await expect(runningService({ DATABASE_URL })).rejects.toThrow(
			/in the character set latin1; run ALTER DATABASE `tenant_server_\w+` CHARACTER SET utf8mb4/,
		);
	});

	test("a database server that does not answer stops the start with one sentence", async () => {
		const start = runningService({ DATABASE_URL: "mysql://me:hunter22@127.0.0.1:1/auth" });
		await expect(start).rejects.toThrow(/^The database at DATABASE_URL cannot be used: .*REFUSED/);
	});
});
