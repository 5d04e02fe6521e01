import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { atOnce, countOf, type Lack, RACERS, randomSlug, type Stage } from "./stage";

export function describeTenants(stage: Stage, lacks: readonly Lack[]): void {
	const { newAddress } = stage;

	describe("tenants", () => {
		it.skipIf(lacks.includes("unique indexes"))(
			"are one after a race of creates, and the losers hear that the slug is taken",
			async () => {
				const slug = randomSlug();
				const answers = await atOnce(() =>
					stage.instance.manage("/tenant/create", { body: { name: slug, slug } }),
				);
				expect(countOf(answers, 200)).toBe(1);
				expect(countOf(answers, 409)).toBe(RACERS - 1);
				for (const { status, body } of notEmpty(answers)) {
					if (status === 409) expect(body.code).toBe("TENANT_ALREADY_EXISTS");
				}
			},
		);

		it.skipIf(lacks.includes("unique indexes"))(
			"change their slug to one that is free only",
			async () => {
				const { manage, makeTenant } = stage.instance;
				const [taken, free] = [randomSlug(), randomSlug()];
				await makeTenant(taken);
				const tenantId = await makeTenant();
				const refused = await manage("/tenant/update", { body: { tenantId, slug: taken } });
				expect([refused.status, refused.body.code]).toEqual([409, "TENANT_ALREADY_EXISTS"]);
				const changed = await manage("/tenant/update", { body: { tenantId, slug: free } });
				expect(changed.body).toMatchObject({ id: tenantId, slug: free });
				expect((await manage("/tenant/get", { query: { slug: free } })).body.id).toBe(tenantId);
			},
		);

		it("are named by their exact id and slug", async () => {
			const { manage, makeTenant, signUp } = stage.instance;
			const slug = randomSlug();
			const id = await makeTenant(slug);
			const flipped = id.replaceAll(/[a-z]/gi, (it) =>
				it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase(),
			);
			const wrong = [`${id} `, ` ${id}`, `0${id}`, ...(flipped === id ? [] : [flipped])];
			for (const tenantId of notEmpty(wrong)) {
				const answers = [
					await signUp(tenantId, newAddress()),
					await manage("/tenant/get", { query: { id: tenantId } }),
					await manage("/tenant/update", { body: { tenantId, name: "Renamed" } }),
					await manage("/tenant/delete", { body: { tenantId } }),
				];
				for (const { status, body } of notEmpty(answers)) {
					expect([status, body.code], tenantId).toEqual([404, "TENANT_NOT_FOUND"]);
				}
			}
			for (const wrongSlug of [slug.toUpperCase(), `${slug} `]) {
				expect((await manage("/tenant/get", { query: { slug: wrongSlug } })).status).toBe(404);
			}
			expect((await manage("/tenant/get", { query: { slug } })).body).toMatchObject({
				id,
				name: slug,
			});
		});

		it("are not found by what is no id, whatever the database makes of it", async () => {
			const { call, signUp } = stage.instance;
			const hostile = [
				"' or 1=1 --",
				'" or ""="',
				"%",
				"_",
				"\\",
				"0",
				"-1",
				"1e3",
				"null",
				"NaN",
				"🚀",
				"x".repeat(128),
				"a\u0000b",
				"00000000-0000-0000-0000-000000000000",
				"99999999999999999999",
			];
			for (const tenantId of notEmpty(hostile)) {
				const { status, body } = await signUp(tenantId, newAddress());
				expect([status, body.code], tenantId.slice(0, 40)).toEqual([404, "TENANT_NOT_FOUND"]);
			}
			for (const tenantId of [{}, [], 5, true, ["a"], { $ne: "" }, "x".repeat(100_000)]) {
				const body = { tenantId, name: "Ada", email: newAddress(), password: "password" };
				const { status } = await call("/tenant/sign-up/email", { body });
				expect([400, 404], JSON.stringify(tenantId).slice(0, 40)).toContain(status);
			}
		});

		it("keep what they are given", async () => {
			const { manage } = stage.instance;
			const metadata = { deep: { list: [1, null, { "🚀": "é" }] }, text: "x".repeat(10_000) };
			const name = "Ünïcödé 🚀";
			const body = { name, slug: randomSlug(), metadata };
			const made = await manage("/tenant/create", { body });
			const read = await manage("/tenant/get", { query: { id: made.body.id } });
			expect(read.body).toEqual(made.body);
			expect(read.body).toMatchObject({ name, metadata });
			expect(Math.abs(Date.parse(read.body.createdAt) - Date.now())).toBeLessThan(60_000);
		});

		it("are listed beyond a hundred, oldest first, and searched as the text is written", async () => {
			const { manage } = stage.instance;
			const mark = randomSlug();
			const names = [
				"50% off",
				"50 percent off",
				"under_score",
				"underXscore",
				"back\\slash",
				"PLAIN",
			];
			for (const [n, name] of [...names, "more"].entries()) {
				// One millisecond is one place in the order.
				await new Promise((resolve) => setTimeout(resolve, 2));
				await manage("/tenant/create", { body: { name: `${mark} ${name}`, slug: `${mark}-${n}` } });
			}
			const [last] = await stage.rows.find("tenant", "slug", `${mark}-${names.length}`);
			const { id: _, ...rest } = last ?? {};
			const more = Array.from({ length: 100 }, (_, n) => `${mark}-more-${n}`);
			await stage.rows.insert(
				"tenant",
				more.map((slug) => ({ ...rest, ...stage.newId(), slug })),
			);
			const search = async (text: string) => {
				const { body, headers } = await manage("/tenant/list", { query: { search: text } });
				expect(headers.get("x-total-count")).toBe(String(body.length));
				return body.map(({ name }: { name: string }) => name);
			};
			expect(await search(mark)).toHaveLength(107);
			expect((await search(mark)).slice(0, 6)).toEqual(names.map((name) => `${mark} ${name}`));
			expect(await search(`${mark} 50%`)).toEqual([`${mark} 50% off`]);
			expect(await search(`${mark} under_`)).toEqual([`${mark} under_score`]);
			expect(await search(`${mark} back\\`)).toEqual([`${mark} back\\slash`]);
			expect(await search(`${mark} plain`)).toEqual([`${mark} PLAIN`]);
			expect(await search(`${mark.toUpperCase()}-3`)).toEqual([`${mark} underXscore`]);
			expect(await search(`${mark} '; drop table tenant; --`)).toEqual([]);
			const page = await manage("/tenant/list", {
				query: { search: mark, limit: "2", offset: "1" },
			});
			expect(page.body.map(({ slug }: { slug: string }) => slug)).toEqual([
				`${mark}-1`,
				`${mark}-2`,
			]);
			expect(page.headers.get("x-total-count")).toBe("107");
		});
	});
}
