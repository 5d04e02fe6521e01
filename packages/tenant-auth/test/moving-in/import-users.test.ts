import { tenantAuth } from "better-auth-tenant";
import { beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "../support/databases";
import { describeImportUsers } from "../support/import-users-behaviors";
import { type Instance, MANAGEMENT_KEY, makeInstance, ORIGIN, PASSWORD } from "../support/instance";

describe("importing users on SQLite", () => {
	describeImportUsers(openSqlite);
});

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
		for (const { code } of body.results) expect(code).toMatch(/^(INVALID_JSON|VALIDATION_ERROR)$/);
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

describe("an imported password", () => {
	const email = "ada@example.com";
	const hash = "any";
	const users = [{ externalId: "1", email, password: { kind: "slow", hash } }];

	async function setUp(verify: () => boolean | Promise<boolean>) {
		const app = await makeInstance({ tenants: { passwordHashes: { slow: { verify } } } });
		const tenantId = await app.makeTenant();
		await app.auth.api.importTenantUsers({ body: { tenantId, users } });
		const stored = async () => {
			const rows = await app.db.selectFrom("account").select("password").execute();
			return String(rows[0]?.password);
		};
		return { ...app, tenantId, stored };
	}

	it("is not replaced if the user has changed it meanwhile", async () => {
		const { db, signIn, tenantId, stored } = await setUp(async () => {
			await db.updateTable("account").set({ password: "changed" }).execute();
			return true;
		});
		expect((await signIn(tenantId, { email })).status).toBe(200);
		expect(await stored()).toBe("changed");
	});

	it("is wrong if its verification throws or answers anything but true", async () => {
		const answers = [
			() => Promise.reject(new Error("broken hash")),
			() => "yes" as unknown as boolean,
			() => false,
		];
		for (const verify of answers) {
			const { signIn, tenantId } = await setUp(verify);
			expect((await signIn(tenantId, { email })).status).toBe(401);
		}
	});

	it("is wrong if nothing can verify it any more", async () => {
		const { db, options, signIn, tenantId } = await setUp(() => true);
		const { betterAuth } = await import("better-auth");
		const later = betterAuth({
			...options,
			plugins: [tenantAuth({ managementKeys: [MANAGEMENT_KEY] })],
		});
		const body = { tenantId, email, password: PASSWORD };
		await expect(later.api.signInEmailTenant({ body })).rejects.toMatchObject({ statusCode: 401 });
		expect((await signIn(tenantId, { email })).status).toBe(200);
		await db.destroy();
	});

	it("of a wrong kind stops the start", () => {
		const verify = () => true;
		for (const kind of ["better-auth", "", "With Space", "a:b", "x".repeat(33)]) {
			expect(() => tenantAuth({ passwordHashes: { [kind]: { verify } } })).toThrow(
				/passwordHashes/,
			);
		}
	});
});
