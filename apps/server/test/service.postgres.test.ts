import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { runningService } from "./running-service";

describe.skipIf(!services.postgres)("the service on PostgreSQL", () => {
	test("a database server that does not answer stops the start with one sentence", async () => {
		const start = runningService({ DATABASE_URL: "postgres://me:hunter22@127.0.0.1:1/auth" });
		await expect(start).rejects.toThrow(/^The database at DATABASE_URL cannot be used: .*REFUSED/);
		await expect(start).rejects.not.toThrow("hunter22");
	});
});
