import { getMigrations } from "better-auth/db/migration";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenDatabase } from "./databases";
import { hostile } from "./hostile-plugin";
import { type Answer, type Instance, type InstanceOptions, makeInstance } from "./instance";

const password = "correct horse battery";
const RACERS = 20;

/** Runs `work` so often at once. */
const atOnce = (work: (n: number) => Promise<Answer>): Promise<Answer[]> =>
	Promise.all(Array.from({ length: RACERS }, (_, n) => work(n)));

const countOf = (answers: Answer[], status: number) =>
	answers.filter((answer) => answer.status === status).length;

/** What must hold on every database, whatever its SQL, its isolation and its pool. */
export function describeMainBehaviours(
	open: () => Promise<OpenDatabase>,
	options: () => InstanceOptions = () => ({}),
): void {
	let on: OpenDatabase;
	let instance: Instance;
	let email = "";
	let people = 0;

	beforeAll(async () => {
		on = await open();
		instance = await makeInstance({ ...options(), on, plugins: [hostile()] });
	});
	afterAll(() => on?.close());

	const newAddress = () => {
		people += 1;
		email = `person${people}@example.com`;
		return email;
	};

	describe("its schema", () => {
		it("is complete after one migration: a second one finds nothing to do", async () => {
			const { toBeCreated, toBeAdded, compileMigrations } = await getMigrations(instance.options);
			expect([toBeCreated, toBeAdded]).toEqual([[], []]);
			expect((await compileMigrations()).replaceAll(/[;\s]/g, "")).toBe("");
		});

		it("keeps identities unique per tenant, whoever writes", async () => {
			const { db, manage, signUp, makeTenant } = instance;
			const tenantId = await makeTenant();
			const { body } = await signUp(tenantId, newAddress());
			const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
			await manage("/tenant/oauth-config/register", { body: config });
			const rows: [string, string, string][] = [
				["tenant", "id", tenantId],
				["tenantOauthConfig", "tenantId", tenantId],
				["user", "id", body.user.id],
				["account", "userId", body.user.id],
			];
			for (const [table, column, value] of rows) {
				const row = await db
					.selectFrom(table)
					.selectAll()
					.where(column, "=", value)
					.executeTakeFirstOrThrow();
				const copy = db.insertInto(table).values({ ...row, id: `copy of ${table}` });
				await expect(copy.execute(), table).rejects.toThrow();
			}
		});
	});

	describe("users", () => {
		it("with one address in two tenants are two, with a password and a session each", async () => {
			const { makeTenant, signUp, call } = instance;
			const [one, other] = [await makeTenant(), await makeTenant()];
			newAddress();
			const first = await signUp(one, email, "password of one");
			const second = await signUp(other, email, "password of other");
			expect([first.status, second.status]).toEqual([200, 200]);
			expect(first.body.user.id).not.toBe(second.body.user.id);
			const signIn = (tenantId: string, password: string) =>
				call("/tenant/sign-in/email", { body: { tenantId, email, password } });
			expect((await signIn(one, "password of other")).status).toBe(401);
			const signedIn = await signIn(one, "password of one");
			expect(signedIn.body).toMatchObject({
				user: { id: first.body.user.id },
				session: { tenantId: one },
			});
			const { cookie } = signedIn;
			expect((await call("/get-session", { cookie })).body.session.tenantId).toBe(one);
			expect((await call("/get-session", { cookie, tenant: other })).body).toBeNull();
			await call("/sign-out", { body: {}, cookie, tenant: other });
			expect((await call("/get-session", { cookie })).body.session.tenantId).toBe(one);
			await call("/sign-out", { body: {}, cookie });
			expect((await call("/get-session", { cookie })).body).toBeNull();
		});

		it("are one after a race of sign-ups", async () => {
			const { makeTenant, signUp, db } = instance;
			const tenantId = await makeTenant();
			newAddress();
			const answers = await atOnce(() => signUp(tenantId, email));
			expect(countOf(answers, 200)).toBe(1);
			expect(countOf(answers, 422)).toBe(RACERS - 1);
			for (const { status, body } of answers) {
				if (status === 422) expect(body.code).toBe("USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
			}
			for (const table of ["user", "account"]) {
				const rows = await db
					.selectFrom(table)
					.select("id")
					.where("tenantId", "=", tenantId)
					.execute();
				expect(rows).toHaveLength(1);
			}
		});

		it("are one after a race of sign-ups where addresses are verified, and all hear the same", async () => {
			const mails: string[] = [];
			const { makeTenant, signUp, db } = await makeInstance({
				...options(),
				on,
				emailAndPassword: {
					...instance.options.emailAndPassword,
					enabled: true,
					requireEmailVerification: true,
				},
				emailVerification: {
					sendVerificationEmail: async ({ user }) => {
						mails.push(user.email);
					},
				},
			});
			const tenantId = await makeTenant();
			newAddress();
			const answers = await atOnce(() => signUp(tenantId, email));
			for (const { status, body } of answers) {
				expect(status).toBe(200);
				expect(body).toMatchObject({ token: null, session: null, user: { email, tenantId } });
			}
			expect(mails).toEqual([email]);
			const rows = await db
				.selectFrom("user")
				.select("id")
				.where("tenantId", "=", tenantId)
				.execute();
			expect(rows).toHaveLength(1);
		});

		it("sign up and in together, more than there are connections", async () => {
			const { makeTenant, signUp, call } = instance;
			const tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
			const tenantOf = (n: number) => String(tenants[n % tenants.length]);
			const prefix = newAddress().split("@")[0];
			const addressOf = (n: number) => `${prefix}-${n}@example.com`;
			expect(countOf(await atOnce((n) => signUp(tenantOf(n), addressOf(n))), 200)).toBe(RACERS);
			const mixed = await atOnce((n) =>
				n % 2
					? signUp(tenantOf(n), `again-${addressOf(n)}`)
					: call("/tenant/sign-in/email", {
							body: { tenantId: tenantOf(n), email: addressOf(n), password },
						}),
			);
			expect(countOf(mixed, 200)).toBe(RACERS);
		});

		it("who are changed by their address are the tenant's, and so is what comes back", async () => {
			const { makeTenant, signUp, call } = instance;
			const tenants = [await makeTenant(), await makeTenant(), await makeTenant()];
			newAddress();
			for (const tenantId of tenants) await signUp(tenantId, email);
			for (const tenant of tenants) {
				const query = {
					model: "user",
					where: [{ field: "email", value: email }],
					update: { name: `Renamed in ${tenant}` },
				};
				const { body } = await call("/hostile/query", {
					body: { access: "the adapter", method: "update", query },
					tenant,
				});
				expect(body.result).toMatchObject({ tenantId: tenant, name: `Renamed in ${tenant}` });
			}
		});

		it("may be called anything, and what no database takes is refused", async () => {
			const { makeTenant, call } = instance;
			const tenantId = await makeTenant();
			const signUp = (change: object) =>
				call("/tenant/sign-up/email", {
					body: { tenantId, name: "Ada", email: newAddress(), password, ...change },
				});
			const name = "Ünïcödé 🚀 ' \" ; -- %_\\";
			const { body, cookie } = await signUp({ name });
			expect(body.user.name).toBe(name);
			expect((await call("/get-session", { cookie })).body.user.name).toBe(name);
			const odd = [
				{ name: "a\u0000b" },
				{ image: "a\u0000b" },
				{
					email: `${"x".repeat(60)}@${"y".repeat(60)}.${"z".repeat(60)}.${"w".repeat(60)}.example.com`,
				},
				{ name: "n".repeat(100_000) },
			];
			for (const change of odd) {
				const { status } = await signUp(change);
				expect(status, JSON.stringify(change).slice(0, 40)).toBeLessThan(500);
			}
		});
	});

	describe("tenants", () => {
		const racing = () => `race-${Math.random().toString(36).slice(2, 10)}`;

		it("are one after a race of creates, and the losers hear that the slug is taken", async () => {
			const slug = racing();
			const answers = await atOnce(() =>
				instance.manage("/tenant/create", { body: { name: slug, slug } }),
			);
			expect(countOf(answers, 200)).toBe(1);
			expect(countOf(answers, 409)).toBe(RACERS - 1);
			for (const { status, body } of answers) {
				if (status === 409) expect(body.code).toBe("TENANT_ALREADY_EXISTS");
			}
		});

		it("change their slug to one that is free only", async () => {
			const { manage, makeTenant } = instance;
			const [taken, free] = [racing(), racing()];
			await makeTenant(taken);
			const tenantId = await makeTenant();
			const refused = await manage("/tenant/update", { body: { tenantId, slug: taken } });
			expect([refused.status, refused.body.code]).toEqual([409, "TENANT_ALREADY_EXISTS"]);
			const changed = await manage("/tenant/update", { body: { tenantId, slug: free } });
			expect(changed.body).toMatchObject({ id: tenantId, slug: free });
			expect((await manage("/tenant/get", { query: { slug: free } })).body.id).toBe(tenantId);
		});

		it("are named by their exact id and slug", async () => {
			const { manage, makeTenant, signUp } = instance;
			const slug = racing();
			const id = await makeTenant(slug);
			const flipped = id.replaceAll(/[a-z]/gi, (it) =>
				it === it.toLowerCase() ? it.toUpperCase() : it.toLowerCase(),
			);
			const wrong = [`${id} `, ` ${id}`, `0${id}`, ...(flipped === id ? [] : [flipped])];
			for (const tenantId of wrong) {
				const answers = [
					await signUp(tenantId, newAddress()),
					await manage("/tenant/get", { query: { id: tenantId } }),
					await manage("/tenant/update", { body: { tenantId, name: "Renamed" } }),
					await manage("/tenant/delete", { body: { tenantId } }),
				];
				for (const { status, body } of answers) {
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

		it("keep what they are given", async () => {
			const { manage } = instance;
			const metadata = { deep: { list: [1, null, { "🚀": "é" }] }, text: "x".repeat(10_000) };
			const name = "Ünïcödé 🚀";
			const { body } = await manage("/tenant/create", { body: { name, slug: racing(), metadata } });
			const read = await manage("/tenant/get", { query: { id: body.id } });
			expect(read.body).toEqual(body);
			expect(read.body).toMatchObject({ name, metadata });
			expect(Math.abs(Date.parse(read.body.createdAt) - Date.now())).toBeLessThan(60_000);
		});

		it("are listed beyond a hundred, oldest first, and searched as the text is written", async () => {
			const { manage } = instance;
			const mark = racing();
			const names = [
				"50% off",
				"50 percent off",
				"under_score",
				"underXscore",
				"back\\slash",
				"PLAIN",
			];
			for (const [n, name] of names.entries()) {
				await manage("/tenant/create", { body: { name: `${mark} ${name}`, slug: `${mark}-${n}` } });
			}
			for (let n = 0; n < 101; n += 1) {
				await manage("/tenant/create", {
					body: { name: `${mark} more`, slug: `${mark}-more-${n}` },
				});
			}
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

		it("go with everything in them, and touch no other", async () => {
			const { makeTenant, signUp, manage, call, db } = instance;
			const [gone, kept] = [await makeTenant(), await makeTenant()];
			for (const tenantId of [gone, kept]) {
				await signUp(tenantId, newAddress());
				const { body } = await signUp(tenantId, newAddress());
				const query = { model: "note", data: { text: tenantId, userId: body.user.id } };
				await call("/hostile/query", {
					body: { access: "the adapter", method: "create", query },
					tenant: tenantId,
				});
				const config = { tenantId, providerId: "google", clientId: "id", clientSecret: "secret" };
				await manage("/tenant/oauth-config/register", { body: config });
				await call("/tenant/sign-in/social", { body: { tenantId, provider: "google" } });
			}
			const answer = await manage("/tenant/delete", { body: { tenantId: gone } });
			expect([answer.status, answer.body]).toEqual([200, { success: true }]);
			const tables = (await db.introspection.getTables()).map(({ name, columns }) => ({
				name,
				column:
					columns.map((column) => column.name).find((it) => it === "tenantId" || it === "text") ??
					"id",
			}));
			for (const { name, column } of tables) {
				const of = (tenantId: string) =>
					db.selectFrom(name).select(column).where(column, "=", tenantId).execute();
				expect(await of(gone), name).toEqual([]);
				expect((await of(kept)).length, name).toBeGreaterThan(0);
			}
			const late = await signUp(gone, newAddress());
			expect([late.status, late.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
		});

		it("are deleted while users sign up, and nobody stays behind", async () => {
			const { makeTenant, signUp, manage, db } = instance;
			const tenantId = await makeTenant();
			const prefix = newAddress();
			const answers = await atOnce((n) =>
				n === 7
					? manage("/tenant/delete", { body: { tenantId } })
					: signUp(tenantId, `late${n}.${prefix}`),
			);
			for (const { status } of answers) expect([200, 404]).toContain(status);
			expect(answers[7]?.status).toBe(200);
			for (const table of ["user", "account"]) {
				const rows = await db
					.selectFrom(table)
					.select("id")
					.where("tenantId", "=", tenantId)
					.execute();
				expect(rows).toEqual([]);
			}
		});

		it("are deleted while a sign-up is half-way, and it does not stay behind", async () => {
			let arrive = () => {};
			const arrived = new Promise<void>((resolve) => {
				arrive = resolve;
			});
			const { makeTenant, signUp, manage, db } = await makeInstance({
				...options(),
				on,
				plugins: [hostile()],
				databaseHooks: {
					account: {
						create: {
							// The user is written by now, and not yet committed.
							before: async () => {
								arrive();
								await new Promise((resolve) => setTimeout(resolve, 300));
							},
						},
					},
				},
			});
			const tenantId = await makeTenant();
			const signingUp = signUp(tenantId, newAddress());
			await arrived;
			const erased = await manage("/tenant/delete", { body: { tenantId } });
			expect([erased.status, (await signingUp).status < 500]).toEqual([200, true]);
			for (const table of ["user", "account"]) {
				const rows = await db
					.selectFrom(table)
					.select("id")
					.where("tenantId", "=", tenantId)
					.execute();
				expect(rows).toEqual([]);
			}
		});
	});

	describe("OAuth configs", () => {
		it("are one after a race of upserts, and all are told so", async () => {
			const { makeTenant, manage } = instance;
			const tenantId = await makeTenant();
			const answers = await atOnce((n) =>
				manage("/tenant/oauth-config/register", {
					body: { tenantId, providerId: "google", clientId: `client-${n}`, clientSecret: "secret" },
				}),
			);
			expect(countOf(answers, 200)).toBe(RACERS);
			expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
			const list = await manage("/tenant/oauth-config/list", { query: { tenantId } });
			expect(list.body).toHaveLength(1);
			expect(list.body[0].clientId).toMatch(/^client-\d+$/);
		});

		it("are told of by the answer to their own upsert, whatever else the tenant has", async () => {
			const { makeTenant, manage } = instance;
			const [other, tenantId] = [await makeTenant(), await makeTenant()];
			const register = (tenantId: string, providerId: string, clientId: string) =>
				manage("/tenant/oauth-config/register", {
					body: { tenantId, providerId, clientId, clientSecret: "secret", scopes: [clientId] },
				});
			for (const providerId of ["github", "google", "gitlab"]) {
				await register(other, providerId, "others");
				await register(tenantId, providerId, "first");
			}
			for (const providerId of ["gitlab", "google", "github"]) {
				const { body } = await register(tenantId, providerId, "second");
				expect(body).toMatchObject({
					tenantId,
					providerId,
					clientId: "second",
					scopes: ["second"],
				});
			}
			const { body: list } = await manage("/tenant/oauth-config/list", { query: { tenantId } });
			expect(list.map(({ clientId }: { clientId: string }) => clientId)).toEqual(
				Array(3).fill("second"),
			);
		});

		it("start a social sign-in with the tenant's client", async () => {
			const { makeTenant, manage, call } = instance;
			const tenantId = await makeTenant();
			const body = {
				tenantId,
				providerId: "google",
				clientId: "client of it",
				clientSecret: "secret",
			};
			await manage("/tenant/oauth-config/register", { body: { ...body, scopes: ["calendar"] } });
			const {
				status,
				body: answer,
				headers,
			} = await call("/tenant/sign-in/social", {
				body: { tenantId, provider: "google", callbackURL: "/home" },
			});
			expect([status, answer.redirect]).toEqual([200, true]);
			const url = new URL(answer.url);
			expect(url.searchParams.get("client_id")).toBe("client of it");
			expect(url.searchParams.get("scope")).toContain("calendar");
			expect(headers.get("location")).toBe(answer.url);
		});

		it("keep the longest values that are accepted", async () => {
			const { makeTenant, manage } = instance;
			const tenantId = await makeTenant();
			const config = {
				tenantId,
				providerId: "google",
				clientId: "c".repeat(1024),
				clientSecret: "🚀".repeat(4096),
				scopes: Array.from({ length: 64 }, (_, n) => `${n}`.padEnd(256, "s")),
				redirectURI: `https://example.com/${"p".repeat(2000)}`,
			};
			const { status, body } = await manage("/tenant/oauth-config/register", { body: config });
			expect(status).toBe(200);
			const { clientSecret: _, ...visible } = config;
			expect(body).toMatchObject(visible);
			const list = await manage("/tenant/oauth-config/list", { query: { tenantId } });
			expect(list.body).toEqual([body]);
		});
	});
}
