import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import { expectRefusal } from "../support/http/refusal";
import { makeDomainApp } from "../support/worlds/domain-app";
import { ORIGIN } from "../support/worlds/instance";

describe("GET /tenant/discover", () => {
	it("does the same work for every email", async () => {
		const app = await makeDomainApp();
		const { call, manage, addDomain, statements, tenantId, makeTenant } = app;
		const { body } = await addDomain(tenantId, "acme.com", "email");
		await manage("/tenant/domain/update", {
			body: { tenantId, domainId: body.id, discoverable: true },
		});
		await addDomain(await makeTenant(), "hidden.com", "email");
		const work = [];
		for (const email of ["ada@acme.com", "ada@hidden.com", "ada@unknown.com"]) {
			statements.length = 0;
			const { status, headers } = await call("/tenant/discover", { query: { email } });
			expect(status).toBe(200);
			work.push([...statements, ...headers]);
		}
		expect(work[0]?.filter((sql) => String(sql).startsWith("select"))).toHaveLength(3);
		expect(work[1]).toEqual(work[0]);
		expect(work[2]).toEqual(work[0]);
	});

	it.each(["", "ada", "ada@", "@acme.com", "ada@acme.com\u0000", `ada@${"x".repeat(300)}.com`])(
		"rejects %j",
		async (email) => {
			const { call } = await makeDomainApp();
			expect((await call("/tenant/discover", { query: { email } })).status).toBe(400);
		},
	);

	it("is limited to 20 calls in a minute", async () => {
		stopClock();
		const { call } = await makeDomainApp({ rateLimit: { enabled: true } });
		const headers = { "x-forwarded-for": "203.0.113.7", origin: ORIGIN };
		const query = { email: "ada@acme.com" };
		for (let n = 0; n < 20; n += 1) {
			expect((await call("/tenant/discover", { query, headers })).status).toBe(200);
		}
		expectRefusal(await call("/tenant/discover", { query, headers }), 429, "TOO_MANY_REQUESTS");
	});
});
