import { ProxyTracerProvider, type Span, type Tracer, trace } from "@opentelemetry/api";
import type { BetterAuthOptions } from "better-auth";
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { getCurrentTenantId, runAcrossTenants } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { hostile } from "../support/worlds/hostile-plugin";
import { makeInstance } from "../support/worlds/instance";

const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

/** A host that writes down what its hooks see. */
async function makeWatching() {
	const seen: unknown[][] = [];
	const hooks: BetterAuthOptions["hooks"] = {
		before: createAuthMiddleware(async (ctx) => {
			seen.push(["before", ctx.path, ctx.body?.email]);
		}),
		after: createAuthMiddleware(async (ctx) => {
			seen.push(["after", ctx.path, ctx.context.newSession?.session.tenantId]);
		}),
	};
	const row = (event: string) => async (row: object) => {
		seen.push([event, (row as { tenantId?: unknown }).tenantId]);
	};
	const databaseHooks: BetterAuthOptions["databaseHooks"] = {
		user: { create: { before: row("user.before"), after: row("user.after") } },
		session: { create: { before: row("session.before"), after: row("session.after") } },
	};
	const instance = await makeInstance({ hooks, databaseHooks });
	const tenantId = await instance.makeTenant();
	seen.length = 0;
	return { ...instance, tenantId, seen };
}

describe("the host's hooks", () => {
	it("have the names in a trace that Better Auth gives them", async () => {
		const { signUp, tenantId } = await makeWatching();
		const spans: string[] = [];
		const noop = new ProxyTracerProvider().getTracer("none");
		const startActiveSpan = (name: string, _: unknown, work: (span: Span) => unknown) => {
			spans.push(name);
			return work(noop.startSpan(name));
		};
		trace.setGlobalTracerProvider({
			getTracer: () => ({ ...noop, startActiveSpan }) as unknown as Tracer,
		});
		try {
			await signUp(tenantId, user.email);
		} finally {
			trace.disable();
		}
		expect(spans).toContain("hook before /sign-up/email user");
		expect(spans).toContain("hook after /sign-up/email user");
	});

	it("see a tenant's sign-up at core's path, with its body and its session", async () => {
		const { signUp, tenantId, seen } = await makeWatching();
		await signUp(tenantId, user.email);
		expect(seen).toContainEqual(["before", "/sign-up/email", user.email]);
		expect(seen).toContainEqual(["after", "/sign-up/email", tenantId]);
	});

	it("see a tenant's sign-in at core's path", async () => {
		const { signUp, call, tenantId, seen } = await makeWatching();
		await signUp(tenantId, user.email);
		seen.length = 0;
		await call("/tenant/sign-in/email", { body: { ...user, tenantId } });
		expect(seen).toContainEqual(["before", "/sign-in/email", user.email]);
		expect(seen).toContainEqual(["after", "/sign-in/email", tenantId]);
	});

	it("of the database see the tenant's new user and session", async () => {
		const { signUp, tenantId, seen } = await makeWatching();
		await signUp(tenantId, user.email);
		expect(seen).toContainEqual(["user.after", tenantId]);
		expect(seen).toContainEqual(["session.after", tenantId]);
		expect(seen.filter(([event]) => event === "user.before")).toHaveLength(1);
		expect(seen.filter(([event]) => event === "session.before")).toHaveLength(1);
	});

	it("may refuse a tenant's sign-up, and nothing of it stays", async () => {
		const { makeTenant, signUp, db } = await makeInstance({
			hooks: {
				before: createAuthMiddleware(async (ctx) => {
					if (ctx.path === "/sign-up/email") {
						throw new APIError("FORBIDDEN", { code: "NOT_TODAY", message: "Not today" });
					}
				}),
			},
		});
		const { status, body, cookie } = await signUp(await makeTenant(), user.email);
		expect([status, body.code, cookie]).toEqual([403, "NOT_TODAY", ""]);
		expect(await db.selectFrom("user").selectAll().execute()).toEqual([]);
	});

	it("of the database may refuse a tenant's user", async () => {
		const { makeTenant, signUp, db } = await makeInstance({
			databaseHooks: { user: { create: { before: async () => false } } },
		});
		const { status, body } = await signUp(await makeTenant(), user.email);
		expect([status, body.code]).toEqual([400, "FAILED_TO_CREATE_USER"]);
		expect(await db.selectFrom("account").selectAll().execute()).toEqual([]);
	});

	it("of the database cannot put a user or session into another tenant", async () => {
		let foreign = "";
		const elsewhere = async () => ({ data: { tenantId: foreign } as object });
		const { makeTenant, signUp, db } = await makeInstance({
			databaseHooks: {
				user: { create: { before: elsewhere } },
				session: { create: { before: elsewhere } },
				account: { create: { before: elsewhere } },
			},
		});
		const own = await makeTenant();
		foreign = await makeTenant();
		await signUp(own, user.email);
		for (const table of ["user", "session", "account"]) {
			const rows = await db.selectFrom(table).select("tenantId").execute();
			expect(rows).toEqual([{ tenantId: own }]);
		}
	});

	it("may ask for the tenant before a link's token has told it", async () => {
		const seen: (string | null)[] = [];
		let token = "";
		const before = createAuthMiddleware(async () => {
			seen.push(await getCurrentTenantId());
		});
		const { call, makeTenant, signUp } = await makeInstance({
			hooks: { before },
			emailAndPassword: {
				...cheapPasswords,
				enabled: true,
				sendResetPassword: async (mail) => {
					token = mail.token;
				},
			},
		});
		const [tenant, other] = [await makeTenant(), await makeTenant()];
		await signUp(tenant, user.email, user.password);
		const { cookie } = await signUp(other, user.email, user.password);
		await call("/request-password-reset", { tenant, body: { email: user.email } });
		seen.length = 0;
		const body = { token, newPassword: "another horse battery" };
		expect((await call("/reset-password", { cookie, body })).status).toBe(200);
		expect(seen).toEqual([null]);
		const signIn = { tenantId: tenant, email: user.email, password: body.newPassword };
		expect((await call("/tenant/sign-in/email", { body: signIn })).status).toBe(200);
	});

	it("may ask for another session of the user before the request's own", async () => {
		const found: unknown[] = [];
		const before = createAuthMiddleware(async (ctx) => {
			const token = ctx.headers?.get("x-look-for");
			if (!token) return;
			found.push((await ctx.context.internalAdapter.findSession(token))?.session.token ?? null);
		});
		const { call, makeTenant, signUp } = await makeInstance({ hooks: { before } });
		const [tenant, other] = [await makeTenant(), await makeTenant()];
		const mine = await signUp(tenant, user.email, user.password);
		const theirs = await signUp(other, user.email, user.password);
		const again = await call("/tenant/sign-in/email", { body: { tenantId: tenant, ...user } });
		for (const token of [again.body.token, theirs.body.token]) {
			await call("/list-sessions", { cookie: mine.cookie, headers: { "x-look-for": token } });
		}
		expect(found).toEqual([again.body.token, null]);
	});

	it("see the session that the browser had, after a sign-in, if it is of the tenant", async () => {
		const seen: (string | null)[] = [];
		const after = createAuthMiddleware(async (ctx) => {
			if (ctx.path !== "/sign-in/email") return;
			seen.push((await getSessionFromCtx(ctx))?.session.token ?? null);
		});
		const { call, makeTenant, signUp } = await makeInstance({ hooks: { after } });
		const [tenantId, other] = [await makeTenant(), await makeTenant()];
		const own = await signUp(tenantId, user.email, user.password);
		const foreign = await signUp(other, user.email, user.password);
		for (const { cookie } of [own, foreign]) {
			const answer = await call("/tenant/sign-in/email", { cookie, body: { ...user, tenantId } });
			const { body } = await call("/get-session", { cookie: answer.cookie });
			expect(body.session).toMatchObject({ token: answer.body.token, tenantId });
		}
		expect(seen).toEqual([own.body.token, null]);
	});

	it("see no session any more after it has ended, though it proved the tenant", async () => {
		const seen: unknown[] = [];
		const after = createAuthMiddleware(async (ctx) => {
			const token = ctx.headers?.get("x-look-for");
			if (token) seen.push(await ctx.context.internalAdapter.findSession(token));
		});
		const { call, makeTenant, signUp } = await makeInstance({ hooks: { after } });
		const tenant = await makeTenant();
		const { cookie, body } = await signUp(tenant, user.email, user.password);
		const headers = { "x-look-for": String(body.token) };
		await call("/sign-out", { tenant, cookie, headers, body: {} });
		expect(seen).toEqual([null]);
	});

	it("may put a session into the context, which then tells the tenant", async () => {
		let token = "";
		const { call, makeTenant, signUp } = await makeInstance({
			plugins: [hostile()],
			hooks: {
				before: createAuthMiddleware(async ({ path, context }) => {
					if (path !== "/hostile/query") return;
					const { internalAdapter } = context;
					context.session = await runAcrossTenants(() => internalAdapter.findSession(token));
				}),
			},
		});
		const { body } = await signUp(await makeTenant(), user.email);
		token = body.token;
		const query = { access: "the adapter", method: "findMany", query: { model: "user" } };
		const { result } = (await call("/hostile/query", { body: query })).body;
		expect(result.map(({ id }: { id: string }) => id)).toEqual([body.user.id]);
	});
});
