import { randomUUID } from "node:crypto";
import { checkImportedUsers, importUsers } from "better-auth-tenant/imports";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Instance, MANAGEMENT_KEY, makeInstance, ORIGIN } from "../support/worlds/instance";

describe("POST /tenant/user/import by lines", () => {
	let app: Instance;
	let tenantId: string;

	beforeAll(async () => {
		app = await makeInstance();
		tenantId = await app.makeTenant();
	});

	async function send(
		parts: (string | Uint8Array)[],
		type = "application/x-ndjson",
		moreQuery = "",
	) {
		const encoder = new TextEncoder();
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				const next = parts.shift();
				if (next === undefined) controller.close();
				else controller.enqueue(typeof next === "string" ? encoder.encode(next) : next);
			},
		});
		const response = await app.auth.handler(
			new Request(`${ORIGIN}/api/auth/tenant/user/import?tenantId=${tenantId}${moreQuery}`, {
				method: "POST",
				headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, "content-type": type },
				body,
				duplex: "half",
			} as RequestInit),
		);
		return { status: response.status, body: await response.json() };
	}

	const line = (id: string, name = "") =>
		JSON.stringify({ externalId: id, email: `${id}@example.com`, name });

	it("reads lines however they are cut into parts", async () => {
		const bytes = new TextEncoder().encode(`${line("cut", "Zoë")}\r\n\n  \n${line("last")}`);
		const parts = [...bytes].map((byte) => new Uint8Array([byte]));
		const { status, body } = await send(parts);
		expect([status, body.created, body.failed]).toEqual([200, 2, 0]);
		const { userId } = body.results[0];
		const found = await app.manage("/tenant/user/get", { query: { tenantId, userId } });
		expect(found.body.user.name).toBe("Zoë");
	});

	it("numbers lines as the file does, with empty ones, over HTTP and in code", async () => {
		const file = `${line("one")}\n\n  \nnot JSON\n\n${line("two")}\n`;
		const { body } = await send([file]);
		const numbers = (results: { line: number; status: string }[]) =>
			results.map(({ line, status }) => [line, status]);
		expect(numbers(body.results)).toEqual([
			[1, "created"],
			[4, "failed"],
			[6, "created"],
		]);
		const results = [];
		for await (const result of importUsers(app.auth, { tenantId, lines: file.split("\n") })) {
			results.push(result);
		}
		expect(numbers(results)).toEqual([
			[1, "unchanged"],
			[4, "failed"],
			[6, "unchanged"],
		]);
	});

	it("counts empty lines beyond the part in which they are imported", async () => {
		const lines = [...Array(1200).fill(""), line("far")];
		const results = [];
		for await (const result of importUsers(app.auth, { tenantId, lines })) results.push(result);
		expect(results).toMatchObject([{ line: 1201, status: "created" }]);
	});

	it("checks lines for a tenant that does not exist yet, with the numbers of the file", async () => {
		const unverifiable = {
			externalId: "hash",
			email: "hash@example.com",
			password: { kind: "md5", hash: "x" },
		};
		const lines = [line("fine"), "", "not JSON", JSON.stringify(unverifiable), "{}"];
		const results = [];
		for await (const result of checkImportedUsers(app.auth, lines)) results.push(result);
		expect(results.map(({ message: _, ...result }) => result)).toEqual([
			{ line: 1, externalId: "fine", status: "created", userId: null, code: null },
			...[
				{ line: 3, externalId: null, code: "INVALID_JSON" },
				{ line: 4, externalId: "hash", code: "UNSUPPORTED_PASSWORD_HASH" },
				{ line: 5, externalId: null, code: "VALIDATION_ERROR" },
			].map((failed) => ({ ...failed, status: "failed", userId: null })),
		]);
	});

	it("refuses accounts of providers that do not exist", async () => {
		const withAccount = (providerId: string) =>
			JSON.stringify({
				externalId: providerId,
				email: `${randomUUID()}@example.com`,
				accounts: [{ providerId, accountId: "1" }],
			});
		const { body } = await send([
			["nope!", "okta", "oidc:corp", "constructor", "google"].map(withAccount).join("\n"),
		]);
		expect(body.results.map(({ code }: { code: string }) => code)).toEqual([
			...Array(4).fill("PROVIDER_NOT_FOUND"),
			null,
		]);
		expect(body.results[2].message).toBe(
			'The tenant has no provider "oidc:corp". Register it first',
		);
	});

	it("imports nothing if the URL asks for a dry run", async () => {
		const type = "application/x-ndjson";
		const dry = await send([line("dry")], type, "&dryRun=true");
		expect([dry.status, dry.body.created, dry.body.results[0].userId]).toEqual([200, 1, null]);
		const users = JSON.stringify({ tenantId, users: [JSON.parse(line("dry"))] });
		const json = await send([users], "application/json", "&dryRun=true");
		expect([json.status, json.body.created]).toEqual([200, 1]);
		for (const wrong of ["&dryRun", "&dryRun=1", "&dryRun=true&dryRun=false"]) {
			const { status, body } = await send([line("dry")], type, wrong);
			expect([status, body.code]).toEqual([400, "VALIDATION_ERROR"]);
		}
		const query = { tenantId, search: "dry@" };
		expect((await app.manage("/tenant/user/list", { query })).body).toEqual([]);
		const real = await send([line("dry")], type, "&dryRun=false");
		expect([real.status, real.body.created]).toEqual([200, 1]);
	});

	it("reports each line that is not valid", async () => {
		const lines = ["null", "[]", "5", '"text"', "{}", "\u0000", '{"externalId":"a\\u0000"}', "{"];
		const { status, body } = await send([lines.join("\n")]);
		expect([status, body.created, body.failed]).toEqual([200, 0, lines.length]);
		for (const { code } of notEmpty(body.results))
			expect(code).toMatch(/^(INVALID_JSON|VALIDATION_ERROR)$/);
	});

	it("rejects more lines or bytes than it takes, and imports none of them", async () => {
		const many = Array.from({ length: 10_001 }, (_, n) => line(`many-${n}`)).join("\n");
		const long = "x".repeat(1024 * 1024);
		for (const parts of [[many], [line("before"), "\n", ...Array(17).fill(long)]]) {
			const { status, body } = await send(parts);
			expect([status, body.code]).toEqual([413, "IMPORT_TOO_LARGE"]);
		}
		const search = (text: string) =>
			app.manage("/tenant/user/list", { query: { tenantId, search: text } });
		for (const text of ["many-0@", "before@"]) expect((await search(text)).body).toEqual([]);
	});

	it("rejects an empty body, and other types", async () => {
		for (const body of [[], [""], ["\n\n"]]) {
			const { status, body: answer } = await send(body);
			expect([status, answer.code]).toEqual([400, "VALIDATION_ERROR"]);
		}
		for (const type of ["text/plain", "application/octet-stream", "text/csv"]) {
			expect((await send([line("x")], type)).status).toBe(415);
		}
	});
});
