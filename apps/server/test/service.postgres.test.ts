import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { cookiesOf, newSlug, newTenant, newUser, runningService } from "./running-service";
import { postgresDatabase } from "./temporary-database";

describe.skipIf(!services.postgres)("the service on PostgreSQL", () => {
	test("a text that it cannot store, or look for, is a mistake of the client", async () => {
		const DATABASE_URL = await postgresDatabase(services.postgres as string);
		const { call, post, close } = await runningService({ DATABASE_URL });
		const slug = newSlug();
		const tenantId = await newTenant(post, slug);
		const signedUp = await post("/tenant/sign-up/email", {
			tenantId,
			...newUser("ada@example.com"),
		});
		const session = { cookie: cookiesOf(signedUp), origin: "http://localhost:3000" };
		const form = (body: string) => ({
			method: "POST",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			body,
		});
		const requests = {
			token: () =>
				call(
					`/t/${slug}/oauth2/token`,
					form("grant_type=client_credentials&client_id=%00&client_secret=x"),
				),
			device: () => call(`/t/${slug}/device/code`, form("scope=openid&client_id=%00")),
			authorize: () => call(`/t/${slug}/oauth2/authorize?response_type=code&client_id=%00`),
			grant: () => post("/grant/remove", { clientId: "\0" }, session),
			session: () => post("/revoke-session", { token: "\0" }, session),
		};
		for (const [name, send] of notEmpty(Object.entries(requests))) {
			expect((await send()).status, name).toBeLessThan(500);
		}
		await close();
	});

	test("a database server that does not answer stops the start with one sentence", async () => {
		const start = runningService({ DATABASE_URL: "postgres://me:hunter22@127.0.0.1:1/auth" });
		await expect(start).rejects.toThrow(/^The database at DATABASE_URL cannot be used: .*REFUSED/);
		await expect(start).rejects.not.toThrow("hunter22");
	});
});
