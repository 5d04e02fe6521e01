import { describe, expect, it, onTestFinished } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { startDnsServer } from "../support/providers/dns-server";
import { addUnverified, makeDomainApp } from "../support/worlds/domain-app";

describe("the DNS record of a domain", () => {
	async function verifyWith(resolveTxt: (value: string, name: string) => Promise<string[][]>) {
		let value = "";
		const app = await makeDomainApp({
			domains: { resolveTxt: (name) => resolveTxt(value, name) },
		});
		const { body } = await addUnverified(app, "login.acme.com");
		value = body.record.value;
		const { tenantId } = app;
		return app.manage("/tenant/domain/verify", { body: { tenantId, domainId: body.id } });
	}

	it("may consist of several texts, in quotes and with spaces around", async () => {
		const chunks = (value: string) => [[' "', value.slice(0, 9), value.slice(9), '" ']];
		expect((await verifyWith(async (value) => chunks(value))).status).toBe(200);
	});

	it("is asked for below the host", async () => {
		const asked: string[] = [];
		await verifyWith(async (_, name) => {
			asked.push(name);
			return [];
		});
		expect(asked).toEqual(["_better-auth-tenant.login.acme.com"]);
	});

	it.each([
		["is missing", async () => []],
		["is empty", async () => [[], [""]]],
		["has another token", async () => [["better-auth-tenant=other"]]],
		["only contains the token", async (value: string) => [[`v=spf1 ${value}`]]],
		["is split into two records", async (value: string) => [[value.slice(0, 9)], [value.slice(9)]]],
		[
			"has no name",
			async () => {
				throw Object.assign(new Error("no name"), { code: "ENOTFOUND" });
			},
		],
		[
			"has no text",
			async () => {
				throw Object.assign(new Error("no text"), { code: "ENODATA" });
			},
		],
	])("does not verify the domain if it %s", async (_, resolveTxt) => {
		expectRefusal(await verifyWith(resolveTxt), 422, "DNS_RECORD_NOT_FOUND");
	});

	it.each([
		["fails", async () => Promise.reject(Object.assign(new Error(), { code: "ESERVFAIL" }))],
		[
			"throws",
			() => {
				throw new Error("not a promise");
			},
		],
		["answers nonsense", async () => 5 as unknown as string[][]],
	])("is unknown if DNS %s", async (_, resolveTxt) => {
		expectRefusal(await verifyWith(resolveTxt), 503, "DNS_UNAVAILABLE");
	});

	it("is unknown if DNS takes too long", async () => {
		expectRefusal(await verifyWith(() => new Promise(() => {})), 503, "DNS_UNAVAILABLE");
	});

	it("is looked up by the resolver of the runtime", async () => {
		const records = new Map<string, string[]>();
		const server = await startDnsServer(records);
		onTestFinished(() => server.close());
		const app = await makeDomainApp({ domains: { resolveTxt: undefined } });
		const { tenantId, manage } = app;
		const { body } = await addUnverified(app, "login.acme.example");
		const verify = () => manage("/tenant/domain/verify", { body: { tenantId, domainId: body.id } });
		expectRefusal(await verify(), 422, "DNS_RECORD_NOT_FOUND");
		records.set(body.record.name, ["v=spf1 -all", body.record.value]);
		expect((await verify()).body).toMatchObject({ state: "verified" });
	});
});
