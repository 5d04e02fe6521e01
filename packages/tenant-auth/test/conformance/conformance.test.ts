import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { jwt } from "better-auth/plugins";
import { tenantHosts } from "better-auth-tenant";
import { assertTenantIsolation, checkTenantIsolation } from "better-auth-tenant/conformance";
import type { Kysely } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import * as z from "zod";
import { notEmpty } from "../../../../testing/not-empty";
import { TEST_ALL } from "../../../../testing/services";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makeGate } from "../support/processes/gate";
import { makeInstance, type Rows } from "../support/worlds/instance";
import { someOf } from "../support/worlds/variations";

/** A plugin of an app that bypasses Better Auth and queries the database itself. */
function careless(db: () => Kysely<Rows>) {
	const body = z.object({ userId: z.string() });
	return {
		id: "careless",
		endpoints: {
			showUser: createAuthEndpoint(
				"/careless/show",
				{ method: "GET", query: z.object({ id: z.string() }) },
				async (ctx) => ctx.json(await userOf(db(), ctx.query.id)),
			),
			findByName: createAuthEndpoint("/careless/find/:who", { method: "GET" }, async (ctx) =>
				ctx.json(await userOf(db(), ctx.params.who)),
			),
			renameUser: createAuthEndpoint("/careless/rename", { method: "POST", body }, async (ctx) => {
				const { userId } = ctx.body;
				await db().updateTable("user").set({ name: "Renamed" }).where("id", "=", userId).execute();
				return ctx.json({ done: true });
			}),
			endSessions: createAuthEndpoint("/careless/end", { method: "POST", body }, async (ctx) => {
				await db().deleteFrom("session").where("userId", "=", ctx.body.userId).execute();
				return ctx.json({ done: true });
			}),
			addSession: createAuthEndpoint("/careless/enter", { method: "POST", body }, async (ctx) => {
				const session = await ctx.context.internalAdapter.createSession(ctx.body.userId);
				return ctx.json({ id: session.id });
			}),
			harmless: createAuthEndpoint("/careless/harmless", { method: "POST", body }, async (ctx) =>
				ctx.json(await ctx.context.internalAdapter.findUserById(ctx.body.userId)),
			),
		},
	} satisfies BetterAuthPlugin;
}

const userOf = (db: Kysely<Rows>, id: string) =>
	db.selectFrom("user").selectAll().where("id", "=", id).execute();

async function makeCareless() {
	let db: Kysely<Rows> | undefined;
	const instance = await makeInstance({ plugins: [careless(() => db as Kysely<Rows>)] });
	db = instance.db;
	return instance;
}

const rowsIn = async ({ db }: { db: Kysely<Rows> }) =>
	Object.fromEntries(
		await Promise.all(
			["tenant", "user", "session", "account", "verification", "tenantRow"].map(
				async (table) =>
					[table, (await db.selectFrom(table).selectAll().execute()).length] as const,
			),
		),
	);

describe("the conformance check", () => {
	it("passes on core, calls each endpoint and leaves nothing behind", async () => {
		const instance = await makeInstance({ onAPIError: { onError: () => {} } });
		const only = someOf(Object.keys(instance.auth.api), 30, 1);
		const tenantId = await instance.makeTenant();
		await instance.signUp(tenantId);
		const before = await rowsIn(instance);
		// Without names, all of them are checked.
		const report = await assertTenantIsolation(instance.auth, TEST_ALL ? {} : { only });
		expect(report.endpoints.map(({ name }) => name).sort()).toEqual(only.sort());
		for (const { calls, name } of notEmpty(report.endpoints))
			expect(calls, name).toBeGreaterThan(0);
		expect(await rowsIn(instance)).toEqual(before);
	});

	it.each([
		["sessions in secondary storage only", {}],
		[
			"sessions in secondary storage and the database",
			{ session: { storeSessionInDatabase: true } },
		],
	])("passes with %s", async (_, options) => {
		const { auth } = await makeInstance({ ...options, secondaryStorage: makeMemoryStorage() });
		const only = ["getSession", "revokeSession", "revokeSessions", "updateSession", "signOut"];
		const { endpoints } = await assertTenantIsolation(auth, { only });
		expect(endpoints.map(({ name }) => name).sort()).toEqual(only.sort());
	});

	it("finds input that our own endpoints with a name accept", async () => {
		const { auth } = await makeInstance();
		const only = ["createTenantUser", "updateTenantUser", "signUpEmailTenant"];
		const { endpoints } = await assertTenantIsolation(auth, { only });
		expect(endpoints.filter(({ inputNeverAccepted }) => inputNeverAccepted)).toEqual([]);
	});

	it("finds every leak of an app that bypasses Better Auth", async () => {
		const { auth } = await makeCareless();
		const only = Object.keys(careless(() => ({}) as never).endpoints);
		const { leaks } = await checkTenantIsolation(auth, { only });
		const found = new Set(leaks.map(({ endpoint }) => endpoint));
		expect([...found].sort()).toEqual([
			"addSession",
			"endSessions",
			"findByName",
			"renameUser",
			"showUser",
		]);
		await expect(assertTenantIsolation(auth, { only: ["showUser"] })).rejects.toThrow(
			/showUser \(B's session\): the response contains .*\n {4}GET \/api\/auth\/careless\/show\?id=/,
		);
	});

	it("finds a change by an endpoint that refuses the call, and names the callers", async () => {
		let db: Kysely<Rows> | undefined;
		const writesFirst = {
			id: "writes-first",
			endpoints: {
				renameAndRefuse: createAuthEndpoint(
					"/writes-first/rename",
					{ method: "POST", body: z.object({ userId: z.string() }) },
					async (ctx) => {
						const { userId } = ctx.body;
						const session = await getSessionFromCtx(ctx);
						if (!session)
							await db
								?.updateTable("user")
								.set({ name: "Renamed" })
								.where("id", "=", userId)
								.execute();
						throw ctx.error("FORBIDDEN");
					},
				),
			},
		} satisfies BetterAuthPlugin;
		const instance = await makeInstance({ plugins: [writesFirst] });
		db = instance.db;
		const { leaks } = await checkTenantIsolation(instance.auth, { only: ["renameAndRefuse"] });
		expect(leaks).toHaveLength(1);
		expect(leaks[0]?.what).toMatch(/^A's user .* changed from /);
		expect(leaks[0]?.caller.split(" or ")).toContain("no session, naming B");
	});

	it("skips endpoints by name, with a reason, and rejects unknown names", async () => {
		const { auth } = await makeCareless();
		const only = ["showUser", "harmless"];
		const skip = { showUser: "meant for the staff of the app" };
		const report = await assertTenantIsolation(auth, { only, skip });
		expect(report.skipped).toEqual([{ name: "showUser", reason: skip.showUser }]);
		expect(report.endpoints.map(({ name }) => name)).toEqual(["harmless"]);
		await expect(checkTenantIsolation(auth, { skip: { gone: "why" } })).rejects.toThrow("gone");
		await expect(checkTenantIsolation(auth, { skip: { ok: "" } })).rejects.toThrow(
			"needs a reason",
		);
	});

	it("finds credentials in shared tables, unless they are skipped with a reason", async () => {
		const text = { type: "string", required: true } as const;
		const tables = {
			id: "tables",
			schema: {
				webhook: { fields: { url: text, signingSecret: text } },
				robot: { fields: { name: text, code: { ...text, returned: false } } },
				country: { fields: { name: text, code: text } },
			},
		} satisfies BetterAuthPlugin;
		const sharedTables = ["webhook", "robot", "country"];
		const plugins = [jwt(), tables];
		const { auth } = await makeInstance({ plugins, tenants: { sharedTables } });
		const only = ["ok"];
		const { leaks } = await checkTenantIsolation(auth, { only });
		expect(leaks.map(({ endpoint, what }) => [endpoint, what.split(": ")[1]])).toEqual([
			["table:webhook", "signingSecret"],
			["table:robot", "code"],
		]);
		await expect(assertTenantIsolation(auth, { only })).rejects.toThrow(
			/table:webhook \(every tenant\): the table is shared/,
		);
		const skip = { "table:webhook": "it is the app's own", "table:robot": "robots are public" };
		expect((await assertTenantIsolation(auth, { only, skip })).skipped).toHaveLength(2);
	});

	it("rejects unknown endpoints, and a check without endpoints", async () => {
		const { auth } = await makeCareless();
		const only = ["getSesion"];
		await expect(assertTenantIsolation(auth, { only })).rejects.toThrow(
			"only names an unknown endpoint: getSesion",
		);
		await expect(checkTenantIsolation(auth, { only: [] })).rejects.toThrow(
			"there is no endpoint to check",
		);
		const skip = { harmless: "skipped, and nothing else was selected" };
		await expect(checkTenantIsolation(auth, { only: ["harmless"], skip })).rejects.toThrow(
			"there is no endpoint to check",
		);
	});

	it("fails if every call fails, because that proves nothing", async () => {
		const { auth } = await makeInstance({
			onAPIError: { onError: () => {} },
			hooks: {
				before: createAuthMiddleware(async ({ path }) => {
					if (path === "/get-session") throw new Error("a wrong setup");
				}),
			},
		});
		await expect(assertTenantIsolation(auth, { only: ["getSession"] })).rejects.toThrow(
			"every call failed with a server error",
		);
		await assertTenantIsolation(auth, { only: ["getSession", "ok"] });
	});

	it("names the tenant as the app's clients do", async () => {
		const tenants = {
			resolveTenantId: ({ request }: { request?: Request | undefined }) =>
				request ? new URL(request.url).searchParams.get("workspace") : null,
			tenantHeader: "x-nobody-sends-this",
		};
		const { auth } = await makeInstance({ tenants });
		const named: string[] = [];
		await assertTenantIsolation(auth, {
			only: ["getSession"],
			nameTenant: (request, { id }) => {
				named.push(id);
				return new Request(`${request.url}&workspace=${id}`, request);
			},
		});
		expect(named.length).toBeGreaterThan(0);
	});

	it("works with tenants by host name", async () => {
		const hosts = tenantHosts({ domain: "example.com" });
		const { auth } = await makeInstance({ tenants: { hosts } });
		const only = ["getSession", "listSessions"];
		const { endpoints, leaks } = await checkTenantIsolation(auth, { only });
		expect(leaks).toEqual([]);
		expect(endpoints).toHaveLength(only.length);
		const answered = endpoints.filter(({ responses }) => responses[200]).map(({ name }) => name);
		expect(answered.sort()).toEqual(only);
	});

	it("blocks the network and switches rate limits off", async () => {
		const { auth } = await makeInstance({
			rateLimit: { enabled: true, max: 1 },
			socialProviders: {
				google: {
					clientId: "client",
					clientSecret: "secret",
					verifyIdToken: async () => (await fetch("http://127.0.0.1:9")).ok,
				},
			},
		});
		const { fetch: before } = globalThis;
		const { endpoints } = await assertTenantIsolation(auth, { only: ["ok", "signInSocial"] });
		expect(globalThis.fetch).toBe(before);
		for (const { responses } of notEmpty(endpoints)) expect(responses).not.toHaveProperty("429");
		expect((await auth.$context).rateLimit.enabled).toBe(true);
	});

	it("may overlap with another run, and restores fetch and the rate limits", async () => {
		const { auth } = await makeInstance({ rateLimit: { enabled: true, max: 1 } });
		const { fetch: before } = globalThis;
		const { rateLimit } = await auth.$context;
		const short = assertTenantIsolation(auth, { only: ["ok"] });
		const long = assertTenantIsolation(auth, { only: ["getSession", "listSessions"] });
		await short;
		expect(rateLimit.enabled).toBe(false);
		await long;
		expect(globalThis.fetch).toBe(before);
		expect(rateLimit.enabled).toBe(true);
	});

	it("blocks the network only for itself, not for code that runs at the same time", async () => {
		const [asked, beside] = [makeGate(), makeGate()];
		let inside: unknown;
		const { auth } = await makeInstance({
			hooks: {
				before: createAuthMiddleware(async ({ path }) => {
					if (path !== "/ok" || inside) return;
					inside = await fetch("data:text/plain,inside").catch((error) => error);
					asked.open();
					await beside.opened;
				}),
			},
		});
		const checking = assertTenantIsolation(auth, { only: ["ok"] });
		await asked.opened;
		expect(inside).toMatchObject({ message: "checkTenantIsolation: no network" });
		expect(await (await fetch("data:text/plain,beside")).text()).toBe("beside");
		beside.open();
		await checking;
	});

	it("keeps a wrapper that other code puts around fetch in the meantime", async () => {
		const { fetch: before } = globalThis;
		onTestFinished(() => {
			globalThis.fetch = before;
		});
		let wrapper: typeof fetch | undefined;
		const { auth } = await makeInstance({
			hooks: {
				before: createAuthMiddleware(async () => {
					if (wrapper) return;
					const { fetch: wrapped } = globalThis;
					wrapper = (...args) => wrapped(...args);
					globalThis.fetch = wrapper;
				}),
			},
		});
		await assertTenantIsolation(auth, { only: ["ok"] });
		expect(globalThis.fetch).toBe(wrapper);
		expect(await (await fetch("data:text/plain,open")).text()).toBe("open");
	});

	it("prints what it did, and what the app logs only if it is told to", async () => {
		const loud = (): BetterAuthPlugin => ({
			id: "loud",
			endpoints: {
				shout: createAuthEndpoint("/loud/shout", { method: "GET" }, async (ctx) => {
					console.error("shouted");
					return ctx.json({});
				}),
			},
		});
		const printed: string[] = [];
		const keep = (text: unknown) => void printed.push(...String(text).split("\n"));
		const info = vi.spyOn(console, "info").mockImplementation(keep);
		const error = vi.spyOn(console, "error").mockImplementation(keep);
		onTestFinished(() => {
			info.mockRestore();
			error.mockRestore();
		});
		const { auth } = await makeInstance({ plugins: [loud()] });
		const only = ["shout"];
		await Promise.all([assertTenantIsolation(auth, { only }), console.error("outside")]);
		const [outside, ...lines] = printed;
		expect(outside).toBe("outside");
		expect(lines[0]).toMatch(/^Tenants are isolated: no leak at 1 endpoints in \d+ calls\.$/);
		expect(lines.length).toBeLessThanOrEqual(10);
		expect(printed).not.toContain("shouted");
		await checkTenantIsolation(auth, { only, logs: true });
		expect(printed).toContain("shouted");
	});

	it("hashes no password of its users, and verifies those of others as before", async () => {
		const { auth, makeTenant, signUp, signIn } = await makeInstance();
		const tenantId = await makeTenant();
		await signUp(tenantId);
		const { password } = await auth.$context;
		const { hash, verify } = password;
		const stored = await hash("a password of the app");
		await checkTenantIsolation(auth, {
			only: ["getSession"],
			prepare: async (tenant) => {
				expect(await password.hash(tenant.password)).toMatch(/^conformance:/);
				expect(await password.verify({ hash: stored, password: "wrong" })).toBe(false);
				expect(await password.verify({ hash: stored, password: "a password of the app" })).toBe(
					true,
				);
				const { id, email } = tenant;
				expect((await signIn(id, { email, password: tenant.password })).status).toBe(200);
				expect((await signIn(id, { email, password: "wrong password" })).status).toBe(401);
				return {};
			},
		});
		expect([password.hash, password.verify]).toEqual([hash, verify]);
		expect((await signIn(tenantId)).status).toBe(200);
	});

	it("says if the plugin is missing", async () => {
		const auth = {
			handler: async () => new Response(),
			api: {},
			$context: Promise.resolve({ options: {} }),
		};
		await expect(checkTenantIsolation(auth)).rejects.toThrow("has no tenantAuth()");
	});
});
