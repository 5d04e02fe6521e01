import { expect, test } from "vitest";
import { breakableConnection } from "./breakable-connection";
import { asManager, cookiesOf, newTenant, newUser, runningService } from "./running-service";

/** Tests that run on each database server. */
export function testOutages(createDatabase: () => Promise<string>): void {
	test("during an outage of the database every request gets 503, and works again afterwards", async () => {
		const connection = await breakableConnection(await createDatabase());
		const { post, call, baseUrl } = await runningService({ DATABASE_URL: connection.url });
		const tenantId = await newTenant(post);
		const headers = { "x-tenant-id": tenantId };
		const user = newUser("ada@example.com");
		const cookie = cookiesOf(await post("/tenant/sign-up/email", user, headers));
		const requests: Record<string, () => Promise<Response>> = {
			"sign-in": () => post("/tenant/sign-in/email", user, headers),
			"sign-in of core": () => post("/sign-in/email", user, headers),
			"sign-out": () => post("/sign-out", {}, { cookie, origin: baseUrl }),
			"sign-up": () => post("/tenant/sign-up/email", newUser("bob@example.com"), headers),
			"login options": () => call(`/api/auth/tenant/login-options?tenantId=${tenantId}`),
			management: () => post("/tenant/create", { name: "B", slug: "globex" }, asManager),
			overview: () => call("/service/overview", { headers: asManager }),
		};
		connection.interrupt();
		for (const [name, request] of Object.entries(requests)) {
			const answer = await request();
			expect([name, answer.status, answer.headers.get("retry-after")]).toEqual([name, 503, "5"]);
			expect(await answer.json()).toMatchObject({ code: "STORAGE_UNAVAILABLE" });
		}
		const request = "client_id=app&response_type=code";
		const page = await call(`/t/acme/oauth2/authorize?${request}`, {
			headers: { accept: "text/html" },
		});
		expect([page.status, page.headers.get("retry-after")]).toEqual([503, "5"]);
		expect(page.headers.get("content-type")).toContain("text/html");
		connection.restore();
		await expect
			.poll(async () => (await post("/tenant/sign-in/email", user, headers)).status)
			.toBe(200);
		for (const [name, request] of Object.entries(requests)) {
			expect([name, (await request()).status]).toEqual([name, 200]);
		}
	});
}
