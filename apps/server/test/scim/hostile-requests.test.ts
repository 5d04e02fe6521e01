import { expect, test } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import { runningService, useService } from "../running-service";
import { HOSTILE, hostileRequests } from "./hostile-requests";
import { ERROR, person, scimTenant } from "./scim-tenant";

const service = useService({ SCIM: "true" });

test("nothing that a client sends is an error of the server", async () => {
	await hostileRequests(await service());
	expect(HOSTILE.length).toBeGreaterThan(30);
});

test("a body that is too large, or of another type, gets an error of SCIM", async () => {
	const { scim, slug, token } = await scimTenant(await service());
	const large = await scim(
		"POST",
		"/Users",
		person("ada@example.com", { title: "x".repeat(2 ** 20) }),
	);
	expect([large.status, large.body]).toMatchObject([413, { schemas: [ERROR], status: "413" }]);
	const { call } = await service();
	const text = await call(`/t/${slug}/scim/v2/Users`, {
		method: "POST",
		headers: { authorization: `Bearer ${token}`, "content-type": "text/plain" },
		body: JSON.stringify(person("ada@example.com")),
	});
	expect([text.status, await text.json()]).toMatchObject([415, { schemas: [ERROR] }]);
});

test("too many requests of an address get 429 in the format of SCIM", async () => {
	stopClock();
	const running = await runningService({ SCIM: "true", RATE_LIMIT: "5/60" });
	const { slug } = await scimTenant(running);
	const send = (ip = "10.9.9.9") => running.call(`/t/${slug}/scim/v2/Groups`, {}, ip);
	const responses = [];
	for (let count = 0; count < 6; count += 1) responses.push(await send());
	const last = responses.at(-1);
	expect([last?.status, await last?.json()]).toMatchObject([
		429,
		{ schemas: [ERROR], status: "429" },
	]);
	expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
	expect([responses[0]?.status, (await send("10.9.9.8")).status]).toEqual([401, 401]);
});
