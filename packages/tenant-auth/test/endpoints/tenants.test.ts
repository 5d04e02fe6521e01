import { tenantAuth } from "better-auth-tenant";
import { RESERVED_SLUGS } from "better-auth-tenant/rules";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { type Instance, makeInstance } from "../support/worlds/instance";

type Query = Record<string, string>;

const nested = (levels: number): object => {
	let value: object = {};
	for (let level = 1; level < levels; level += 1) value = { inner: value };
	return value;
};

const uniqueSlug = () => `slug-${Math.random().toString(36).slice(2, 12)}`;

describe("tenants", () => {
	let instance: Instance;
	let manage: Instance["manage"];
	let makeTenant: Instance["makeTenant"];

	beforeAll(async () => {
		instance = await makeInstance({
			tenants: { reservedSlugs: [...RESERVED_SLUGS, "Acme-Corp"] },
		});
		({ manage, makeTenant } = instance);
	});

	const create = (body: object) => manage("/tenant/create", { body });
	const update = (body: object) => manage("/tenant/update", { body });

	describe("create", () => {
		it("answers with the tenant and nothing else", async () => {
			const slug = uniqueSlug();
			const { status, body } = await create({ name: "Acme", slug, metadata: { plan: "pro" } });
			expect(status).toBe(200);
			expect(body).toEqual({
				id: expect.any(String),
				name: "Acme",
				slug,
				metadata: { plan: "pro" },
				createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
				updatedAt: body.createdAt,
			});
		});

		it("answers metadata null when there is none", async () => {
			expect((await create({ name: "Acme", slug: uniqueSlug() })).body.metadata).toBeNull();
		});

		it("keeps metadata of every JSON type", async () => {
			const metadata = {
				text: 'quote " backslash \\ emoji 🦊 nul \u0000 lone \ud800',
				number: -1.5e10,
				yes: true,
				nothing: null,
				list: [1, [2, [3, { deep: [] }]]],
				"": "an empty key",
				"a.b": { "%_\\": {} },
			};
			const { body } = await create({ name: "Acme", slug: uniqueSlug(), metadata });
			expect(body.metadata).toEqual(metadata);
			const read = await manage("/tenant/get", { query: { id: body.id } });
			expect(read.body).toEqual(body);
		});

		it("keeps an empty metadata object", async () => {
			const { body } = await create({ name: "Acme", slug: uniqueSlug(), metadata: {} });
			expect(body.metadata).toEqual({});
		});

		it("keeps deep metadata", async () => {
			const metadata = nested(1000);
			const { status, body } = await create({ name: "Deep", slug: uniqueSlug(), metadata });
			expect(status).toBe(200);
			expect(JSON.stringify(body.metadata)).toBe(JSON.stringify(metadata));
			expect((await manage("/tenant/list")).status).toBe(200);
		});

		it.each([1001, 2500])(
			"refuses metadata of %d levels, which no list could answer",
			async (levels) => {
				const slug = uniqueSlug();
				const { status, body } = await create({ name: "Deep", slug, metadata: nested(levels) });
				expect(status).toBe(400);
				expect(body).toMatchObject({ code: "VALIDATION_ERROR" });
				expect(body.message).toMatch(/metadata .*levels/);
				expect((await manage("/tenant/get", { query: { slug } })).status).toBe(404);
			},
		);

		it("trims the name", async () => {
			expect((await create({ name: "  Acme ", slug: uniqueSlug() })).body.name).toBe("Acme");
		});

		it("does not let a caller set timestamps or anything else", async () => {
			const past = "2001-01-01T00:00:00.000Z";
			const { body } = await create({
				name: "Acme",
				slug: uniqueSlug(),
				createdAt: past,
				updatedAt: past,
				erasingSince: past,
			});
			expect(body.createdAt).not.toBe(past);
			expect(body.updatedAt).not.toBe(past);
		});

		it("refuses a slug that is taken", async () => {
			const slug = uniqueSlug();
			await makeTenant(slug);
			const { status, body } = await create({ name: "Other", slug });
			expect(status).toBe(409);
			expect(body).toEqual({
				code: "TENANT_ALREADY_EXISTS",
				message: "A tenant with this slug already exists",
			});
		});

		describe("with an id of the app", () => {
			it.each(["acme", "01J9ZC0Q7N5V8W3K", "a.b_c~d:e-f", "Z".repeat(36)])(
				"keeps %s",
				async (id) => {
					const { status, body } = await create({ id, name: "Acme", slug: uniqueSlug() });
					expect(status).toBe(200);
					expect(body.id).toBe(id);
					expect((await manage("/tenant/get", { query: { id } })).body).toEqual(body);
					const { user } = (await instance.signUp(id)).body;
					expect(user.tenantId).toBe(id);
				},
			);

			it.each(["", " acme", "-acme", "a b", "a/b", "ä", "a\u0000", "Z".repeat(37), 7, null])(
				"refuses %j",
				async (id) => {
					const slug = uniqueSlug();
					const { status, body } = await create({ id, name: "Acme", slug });
					expect(status).toBe(400);
					expect(body.code).toBe("VALIDATION_ERROR");
					expect((await manage("/tenant/list", { query: { search: slug } })).body).toEqual([]);
				},
			);

			it("refuses one that a tenant has, or had until it was deleted", async () => {
				const id = uniqueSlug();
				await create({ id, name: "One", slug: uniqueSlug() });
				const taken = {
					code: "TENANT_ALREADY_EXISTS",
					message: expect.stringContaining("this id"),
				};
				const again = await create({ id, name: "Two", slug: uniqueSlug() });
				expect(again.status).toBe(409);
				expect(again.body).toEqual(taken);
				await manage("/tenant/delete", { body: { tenantId: id } });
				expect((await create({ id, name: "Two", slug: uniqueSlug() })).body).toEqual(taken);
			});

			it("makes one tenant when ten requests race for it", async () => {
				const id = uniqueSlug();
				const answers = await Promise.all(
					Array.from({ length: 10 }, () => create({ id, name: "Acme", slug: uniqueSlug() })),
				);
				expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
			});

			it("must be a UUID if the database has UUIDs, and cannot be chosen if it counts", async () => {
				const id = "3b241101-e2bb-4255-8caf-4136c566a962";
				const answerOf = async (generateId: "uuid" | "serial", ownId: string) => {
					const app = await makeInstance({ advanced: { database: { generateId } } });
					const body = { id: ownId, name: "Acme", slug: "acme-inc" };
					return app.manage("/tenant/create", { body });
				};
				expect((await answerOf("uuid", id)).body.id).toBe(id);
				expect((await answerOf("uuid", "acme")).body.code).toBe("VALIDATION_ERROR");
				expect((await answerOf("serial", "7")).body.code).toBe("VALIDATION_ERROR");
			});
		});

		it("makes one tenant when twenty requests race for a slug", async () => {
			const slug = uniqueSlug();
			const answers = await Promise.all(
				Array.from({ length: 20 }, (_, index) => create({ name: `Racer ${index}`, slug })),
			);
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
			const losers = answers.filter(({ status }) => status !== 200);
			expect(new Set(losers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
				new Set(["409 TENANT_ALREADY_EXISTS"]),
			);
			const { body } = await manage("/tenant/list", { query: { search: slug } });
			expect(body).toHaveLength(1);
		});

		it.each([
			"",
			"a",
			"-ab",
			"ab-",
			"Acme",
			"a_b",
			"a.b",
			"a b",
			"ab\n",
			"ünlaut",
			"a/b",
			"x".repeat(64),
			"x".repeat(100_000),
		])("refuses the slug %j", async (slug) => {
			const { status, body } = await create({ name: "Acme", slug });
			expect(status).toBe(400);
			expect(body.code).toBe("INVALID_SLUG");
		});

		it.each(["a1", "1a", "a--b", "x".repeat(63)])("accepts the slug %j", async (slug) => {
			expect((await create({ name: "Acme", slug })).body.slug).toBe(slug);
		});

		it.each(["admin", "api", "auth", "login", "support", "www"])(
			"refuses the reserved slug %s, which is a path or looks like the service itself",
			async (slug) => {
				const { status, body } = await create({ name: "Acme", slug });
				expect(status).toBe(400);
				expect(body.code).toBe("SLUG_RESERVED");
			},
		);

		it.each(["test", "demo", "dev", "staging", "app", "blog", "home", "status", "users"])(
			"accepts %s as an ordinary slug",
			async (slug) => {
				expect((await create({ name: "Acme", slug })).body.slug).toBe(slug);
			},
		);

		it("refuses a slug that the host reserved, however the host wrote it", async () => {
			const { status, body } = await create({ name: "Acme", slug: "acme-corp" });
			expect(status).toBe(400);
			expect(body.code).toBe("SLUG_RESERVED");
		});

		it("has limits that the app replaces: its own reserved slugs and size of metadata", async () => {
			const own = await makeInstance({
				tenants: { reservedSlugs: ["partners"], maxMetadataBytes: 100 },
			});
			const codeOf = async (body: object) =>
				(await own.manage("/tenant/create", { body: { name: "Acme", ...body } })).body.code;
			expect(await codeOf({ slug: "partners" })).toBe("SLUG_RESERVED");
			expect(await codeOf({ slug: "admin" })).toBeUndefined();
			const metadata = { big: "x".repeat(91) };
			expect(await codeOf({ slug: "large", metadata })).toBe("VALIDATION_ERROR");
			const id = await own.makeTenant();
			const { body } = await own.manage("/tenant/update", { body: { tenantId: id, metadata } });
			expect(body.message).toBe("[body.metadata] metadata has at most 100 bytes as JSON");
			expect(() => tenantAuth({ maxMetadataBytes: 0 })).toThrow("positive integer");
		});

		it.each([
			["an empty name", { name: "" }, "name"],
			["a blank name", { name: " \t" }, "name"],
			["a name of 201 characters", { name: "x".repeat(201) }, "name"],
			["a name with a control character", { name: "a\u0000b" }, "name"],
			["a name that is no text", { name: 5 }, "name"],
			["metadata that is a list", { metadata: [] }, "metadata"],
			["metadata that is text", { metadata: "{}" }, "metadata"],
			["metadata over 16 KB", { metadata: { big: "x".repeat(16 * 1024) } }, "metadata"],
			["metadata over 16 KB in UTF-8", { metadata: { big: "ü".repeat(9000) } }, "metadata"],
		])("refuses %s and says which field it is", async (_, fields, field) => {
			const { status, body } = await create({ name: "Acme", slug: uniqueSlug(), ...fields });
			expect(status).toBe(400);
			expect(body.code).toBe("VALIDATION_ERROR");
			expect(body.message).toContain(field);
		});

		it("accepts a name of 200 characters and metadata of nearly 16 KB", async () => {
			const metadata = { big: "x".repeat(16 * 1024 - 10) };
			const { status } = await create({ name: "x".repeat(200), slug: uniqueSlug(), metadata });
			expect(status).toBe(200);
		});
	});

	describe("get", () => {
		it("finds a tenant by id and by slug", async () => {
			const { body } = await create({ name: "Acme", slug: uniqueSlug(), metadata: { a: 1 } });
			const byId = await manage("/tenant/get", { query: { id: body.id } });
			const bySlug = await manage("/tenant/get", { query: { slug: body.slug } });
			expect(byId.body).toEqual(body);
			expect(bySlug.body).toEqual(body);
		});

		it("does not take a slug for an id or an id for a slug", async () => {
			const { body } = await create({ name: "Acme", slug: uniqueSlug() });
			expect((await manage("/tenant/get", { query: { id: body.slug } })).status).toBe(404);
			expect((await manage("/tenant/get", { query: { slug: body.id } })).status).toBe(404);
		});

		it("refuses neither and both of id and slug", async () => {
			const slug = uniqueSlug();
			const id = await makeTenant(slug);
			const queries: Query[] = [{}, { id, slug }, { id: "", slug }, { id: "" }];
			for (const query of notEmpty(queries)) {
				const { status, body } = await manage("/tenant/get", { query });
				expect(status).toBe(400);
				const isNone = Object.keys(query).length === 0;
				expect(body.code).toBe(isNone ? "TENANT_ID_REQUIRED" : "VALIDATION_ERROR");
			}
		});

		it("answers 404 for what is not there", async () => {
			const queries: Query[] = [{ id: "nobody" }, { slug: "nobody-here" }, { slug: "NOBODY %_" }];
			for (const query of notEmpty(queries)) {
				const { status, body } = await manage("/tenant/get", { query });
				expect(status).toBe(404);
				const hint = "id" in query ? ". If this is its slug, pass its id instead" : "";
				expect(body).toEqual({ code: "TENANT_NOT_FOUND", message: `Tenant not found${hint}` });
			}
		});

		it("refuses an id longer than any id", async () => {
			const { status, body } = await manage("/tenant/get", { query: { id: "x".repeat(129) } });
			expect(status).toBe(400);
			expect(body.code).toBe("VALIDATION_ERROR");
		});
	});

	describe("update", () => {
		it("changes one field and keeps the others", async () => {
			const first = (await create({ name: "One", slug: uniqueSlug(), metadata: { a: 1 } })).body;
			const renamed = await update({ tenantId: first.id, name: "Two" });
			expect(renamed.status).toBe(200);
			expect(renamed.body).toEqual({
				...first,
				name: "Two",
				updatedAt: expect.any(String),
			});
			const slug = uniqueSlug();
			const moved = await update({ tenantId: first.id, slug });
			expect(moved.body).toMatchObject({ id: first.id, name: "Two", slug, metadata: { a: 1 } });
			const tagged = await update({ tenantId: first.id, metadata: { b: 2 } });
			expect(tagged.body).toMatchObject({ name: "Two", slug, metadata: { b: 2 } });
			const read = await manage("/tenant/get", { query: { id: first.id } });
			expect(read.body).toEqual(tagged.body);
			expect(read.body.createdAt).toBe(first.createdAt);
		});

		it("moves updatedAt on", async () => {
			const { body } = await create({ name: "One", slug: uniqueSlug() });
			await new Promise((resolve) => setTimeout(resolve, 5));
			const changed = await update({ tenantId: body.id, name: "Two" });
			expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(Date.parse(body.updatedAt));
		});

		it("removes metadata with null", async () => {
			const { body } = await create({ name: "One", slug: uniqueSlug(), metadata: { a: 1 } });
			expect((await update({ tenantId: body.id, metadata: null })).body.metadata).toBeNull();
			const read = await manage("/tenant/get", { query: { id: body.id } });
			expect(read.body.metadata).toBeNull();
			expect((await create({ name: "Two", slug: uniqueSlug(), metadata: null })).status).toBe(200);
		});

		it("empties metadata with an empty object", async () => {
			const { body } = await create({ name: "One", slug: uniqueSlug(), metadata: { a: 1 } });
			expect((await update({ tenantId: body.id, metadata: {} })).body.metadata).toEqual({});
		});

		it("answers the tenant as it is when nothing is to be changed", async () => {
			const { body } = await create({ name: "One", slug: uniqueSlug(), metadata: { a: 1 } });
			const answer = await update({ tenantId: body.id });
			expect(answer.status).toBe(200);
			expect(answer.body).toMatchObject({ name: "One", slug: body.slug, metadata: { a: 1 } });
		});

		it("accepts the slug that the tenant has already", async () => {
			const { body } = await create({ name: "One", slug: uniqueSlug() });
			expect((await update({ tenantId: body.id, slug: body.slug })).status).toBe(200);
		});

		it("refuses a slug that another tenant has, and changes nothing", async () => {
			const taken = (await create({ name: "One", slug: uniqueSlug() })).body;
			const other = (await create({ name: "Other", slug: uniqueSlug() })).body;
			const answer = await update({ tenantId: other.id, slug: taken.slug, name: "Changed" });
			expect(answer.status).toBe(409);
			expect(answer.body.code).toBe("TENANT_ALREADY_EXISTS");
			const read = await manage("/tenant/get", { query: { id: other.id } });
			expect(read.body).toEqual(other);
		});

		it("gives a slug to one of many tenants that race for it", async () => {
			const ids = await Promise.all(Array.from({ length: 10 }, () => makeTenant()));
			const slug = uniqueSlug();
			const answers = await Promise.all(ids.map((tenantId) => update({ tenantId, slug })));
			const codes = answers.map(({ status, body }) => (status === 200 ? "won" : body.code));
			expect(codes.sort()).toEqual([...Array(9).fill("TENANT_ALREADY_EXISTS"), "won"]);
		});

		it.each([
			[{ slug: "Not A Slug" }, "INVALID_SLUG"],
			[{ slug: "" }, "INVALID_SLUG"],
			[{ slug: "admin" }, "SLUG_RESERVED"],
			[{ slug: "acme-corp" }, "SLUG_RESERVED"],
			[{ name: "" }, "VALIDATION_ERROR"],
			[{ name: "x".repeat(201) }, "VALIDATION_ERROR"],
			[{ metadata: [] }, "VALIDATION_ERROR"],
			[{ metadata: { big: "x".repeat(16 * 1024) } }, "VALIDATION_ERROR"],
		])("refuses %j", async (changes, code) => {
			const { body } = await create({ name: "One", slug: uniqueSlug() });
			const answer = await update({ tenantId: body.id, ...changes });
			expect(answer.status).toBe(400);
			expect(answer.body.code).toBe(code);
		});

		it("needs the tenant's id in the body, whatever other sources say", async () => {
			const tenant = await makeTenant();
			const { status, body } = await manage("/tenant/update", {
				body: { name: "Two" },
				tenant,
				query: { tenantId: tenant },
			});
			expect(status).toBe(400);
			expect(body.code).toBe("TENANT_ID_REQUIRED");
		});

		it("answers 404 for an unknown id", async () => {
			const { status, body } = await update({ tenantId: "nobody", name: "Two" });
			expect(status).toBe(404);
			expect(body.code).toBe("TENANT_NOT_FOUND");
		});
	});

	describe("delete", () => {
		it("deletes the tenant and says so", async () => {
			const slug = uniqueSlug();
			const tenantId = await makeTenant(slug);
			const { status, body } = await manage("/tenant/delete", { body: { tenantId } });
			expect(status).toBe(200);
			expect(body).toEqual({ success: true });
			expect((await manage("/tenant/get", { query: { id: tenantId } })).status).toBe(404);
			expect((await manage("/tenant/get", { query: { slug } })).status).toBe(404);
		});

		it("deletes the related records and touches no other tenant", async () => {
			const [doomed, spared] = [await makeTenant(), await makeTenant()];
			for (const tenantId of [doomed, spared]) {
				await instance.signUp(tenantId, "ada@example.com");
				await manage("/tenant/oauth-config/register", {
					body: { tenantId, providerId: "github", clientId: "id", clientSecret: "secret" },
				});
			}
			const before = await rowsOf(spared);
			await manage("/tenant/delete", { body: { tenantId: doomed } });
			expect(await rowsOf(doomed)).toEqual([0, 0, 0, 0]);
			expect(before).toEqual([1, 1, 1, 1]);
			expect(await rowsOf(spared)).toEqual(before);
		});

		it("answers 404 for an unknown id and for one deleted before", async () => {
			const tenantId = await makeTenant();
			await manage("/tenant/delete", { body: { tenantId } });
			for (const gone of [tenantId, "nobody"]) {
				const { status, body } = await manage("/tenant/delete", { body: { tenantId: gone } });
				expect(status).toBe(404);
				expect(body.code).toBe("TENANT_NOT_FOUND");
			}
		});

		async function rowsOf(tenantId: string) {
			const tables = ["user", "account", "session", "tenantOauthConfig"];
			return tables.map((table) => {
				const row = instance.database
					.prepare(`select count(*) as count from "${table}" where tenantId = ?`)
					.get(tenantId) as { count: number };
				return row.count;
			});
		}
	});
});
