import { createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { admin } from "better-auth/plugins";
import { getCurrentTenantId, runAcrossTenants, runInTenant } from "better-auth-tenant";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";

const password = "correct horse battery";
const newUser = (email: string) => ({ name: "Ada", email, password });

/** An app whose hook runs `work` in each `GET /ok` request. */
async function makeApp(work: (instance: Instance) => Promise<unknown>) {
	let instance: Instance | undefined;
	let result: unknown;
	instance = await makeInstance({
		hooks: {
			before: createAuthMiddleware(async (ctx) => {
				if (ctx.path === "/ok" && instance) result = await work(instance);
			}),
		},
	});
	const [a, b, c] = [
		await instance.makeTenant("tenant-a"),
		await instance.makeTenant("tenant-b"),
		await instance.makeTenant("tenant-c"),
	];
	const run = async (tenant?: string) => {
		const { status } = await (instance as Instance).call("/ok", tenant ? { tenant } : {});
		expect(status).toBe(200);
		return result;
	};
	return { ...instance, a, b, c, run };
}

const ownersOf = async ({ db }: Pick<Instance, "db">) =>
	Object.fromEntries(
		(await db.selectFrom("user").select(["email", "tenantId"]).execute()).map(
			({ email, tenantId }) => [email, tenantId],
		),
	);

describe("a call of auth.api inside of a request", () => {
	it("that names another tenant runs there, in parallel with one for a third", async () => {
		const app = await makeApp(async ({ auth }) => {
			const signUp = (tenantId: string, email: string) =>
				auth.api.signUpEmailTenant({ body: { tenantId, ...newUser(email) } });
			await Promise.all([signUp(app.b, "b@example.com"), signUp(app.c, "c@example.com")]);
			return getCurrentTenantId();
		});
		expect(await app.run(app.a)).toBe(app.a);
		expect(await ownersOf(app)).toEqual({ "b@example.com": app.b, "c@example.com": app.c });
	});

	it("that names another tenant by header runs there, one after the other", async () => {
		const app = await makeApp(async ({ auth }) => {
			for (const tenant of [app.b, app.c]) {
				const headers = new Headers({ "x-tenant-id": tenant });
				await auth.api.signUpEmail({ headers, body: newUser(`${tenant}@example.com`) });
			}
			return getCurrentTenantId();
		});
		expect(await app.run(app.a)).toBe(app.a);
		expect(await ownersOf(app)).toEqual({
			[`${app.b}@example.com`.toLowerCase()]: app.b,
			[`${app.c}@example.com`.toLowerCase()]: app.c,
		});
	});

	it("that names no tenant runs in the tenant of the request", async () => {
		const app = await makeApp(({ auth }) =>
			auth.api.signUpEmail({ body: newUser("ada@example.com") }),
		);
		await app.run(app.a);
		expect(await ownersOf(app)).toEqual({ "ada@example.com": app.a });
	});

	it("that names a tenant which does not exist fails, and the request goes on", async () => {
		const app = await makeApp(async ({ auth }) => {
			const headers = new Headers({ "x-tenant-id": "nobody" });
			const failed = auth.api.signUpEmail({ headers, body: newUser("ada@example.com") });
			await expect(failed).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
			return getCurrentTenantId();
		});
		expect(await app.run(app.a)).toBe(app.a);
		expect(await ownersOf(app)).toEqual({});
	});

	it("for a tenant leaves a request of the platform on the platform", async () => {
		const app = await makeApp(async ({ auth }) => {
			await auth.api.signUpEmailTenant({
				body: { tenantId: app.b, ...newUser("b@example.com") },
			});
			return auth.api.signUpEmail({ body: newUser("platform@example.com") });
		});
		await app.run();
		expect(await ownersOf(app)).toEqual({
			"b@example.com": app.b,
			"platform@example.com": "",
		});
	});
});

/** The session that the outer request carries decides, not the headers of the call inside of it. */
describe.each(["open", "suspended"])(
	"a request that only carries a session, tenant %s",
	(state) => {
		async function makeCalling() {
			let app: Awaited<ReturnType<typeof makeTwoUsers>> | undefined;
			const outcomes: unknown[] = [];
			const signUp = async () => {
				const made = app?.auth.api.signUpEmail({ body: newUser("new@example.com") });
				outcomes.push(await made?.then(() => "created").catch(({ body }) => body?.code));
			};
			app = await makeTwoUsers({
				hooks: {
					before: createAuthMiddleware(async ({ path }) => {
						if (path === "/update-user") await signUp();
					}),
				},
				plugins: [
					{
						id: "custom",
						endpoints: {
							custom: createAuthEndpoint("/custom", { method: "GET" }, async (ctx) => {
								await signUp();
								return ctx.json({});
							}),
						},
					},
				],
			});
			const tenantId = app.a;
			if (state === "suspended") await app.manage("/tenant/suspend", { body: { tenantId } });
			const owners = async () => (await ownersOf(app as Instance))["new@example.com"];
			return { ...app, outcomes, owners };
		}

		it.each(["/update-user", "/custom"])(
			"keeps a call without headers in %s in it",
			async (path) => {
				const { call, ada, a, outcomes, owners } = await makeCalling();
				const body = path === "/update-user" ? { body: { name: "Ada L." } } : {};
				await call(path, { cookie: ada.cookie, ...body });
				expect([outcomes, await owners()]).toEqual(
					state === "open" ? [["created"], a] : [["TENANT_SUSPENDED"], undefined],
				);
			},
		);
	},
);

describe("a management call", () => {
	it("ignores the managed tenant's name only while it authorizes its caller", async () => {
		let app: Instance | undefined;
		const codes: unknown[] = [];
		app = await makeInstance({
			tenants: { adminRoles: ["admin"] },
			plugins: [admin()],
			hooks: {
				after: createAuthMiddleware(async (ctx) => {
					if (ctx.path !== "/tenant/create") return;
					const { id } = ctx.context.returned as { id: string };
					for (const tenant of [id, "nobody"]) {
						const headers = new Headers({ "x-tenant-id": tenant });
						const body = newUser("owner@example.com");
						const made = app?.auth.api.signUpEmail({ headers, body });
						codes.push(await made?.then(() => "created").catch((error) => error.body.code));
					}
				}),
			},
		});
		const { cookie } = await app.call("/sign-up/email", { body: newUser("admin@example.com") });
		await app.db.updateTable("user").set({ role: "admin" }).execute();
		const body = { name: "New", slug: "new-tenant" };
		const created = await app.call("/tenant/create", { cookie, body });
		expect(codes).toEqual(["created", "TENANT_NOT_FOUND"]);
		expect((await ownersOf(app))["owner@example.com"]).toBe(created.body.id);
	});
});

describe("work that is queued inside of runInTenant", () => {
	it("runs in that tenant, though the transaction around it ends in another", async () => {
		const seen: Record<string, string | null> = {};
		let app: Instance | undefined;
		let other = "";
		app = await makeInstance({
			databaseHooks: {
				user: {
					create: {
						after: async (user) => {
							seen[user.email] = await getCurrentTenantId();
						},
						before: async (user) => {
							if (user.email !== "a@example.com" || !app) return;
							const { internalAdapter } = await app.auth.$context;
							await runInTenant(app.auth, other, () =>
								internalAdapter.createUser(
									{ name: "B", email: "b@example.com", emailVerified: false },
									undefined as never,
								),
							);
						},
					},
				},
			},
		});
		const a = await app.makeTenant("tenant-a");
		other = await app.makeTenant("tenant-b");
		expect((await app.signUp(a, "a@example.com")).status).toBe(200);
		expect(seen).toEqual({ "a@example.com": a, "b@example.com": other });
	});
});

describe("two instances of Better Auth in one process", () => {
	it("do not share a tenant that has the same id in both", async () => {
		const generateId = "serial" as const;
		const second = await makeInstance({ advanced: { database: { generateId } } });
		let seen: unknown;
		const first = await makeInstance({
			advanced: { database: { generateId } },
			hooks: {
				before: createAuthMiddleware(async ({ path }) => {
					if (path !== "/ok") return;
					await second.auth.api.signUpEmail({ body: newUser("ada@example.com") });
					seen = await getCurrentTenantId();
				}),
			},
		});
		const [one, same] = [await first.makeTenant("one"), await second.makeTenant("one")];
		expect(String(one)).toBe(String(same));
		await first.call("/ok", { tenant: String(one) });
		expect(String(seen)).toBe(String(one));
		expect(await ownersOf(second)).toEqual({ "ada@example.com": "" });
	});
});

describe("a second instance that is called from deep inside of the first", () => {
	it("runs in the tenant that the call names", async () => {
		const [first, second] = [await makeInstance(), await makeInstance()];
		const [a, b] = [await first.makeTenant(), await first.makeTenant()];
		const named = await second.makeTenant();
		const headers = new Headers({ "x-tenant-id": named });
		const seen = await runInTenant(first.auth, a, () =>
			runInTenant(first.auth, b, async () => {
				await second.auth.api.signUpEmail({ headers, body: newUser("core@example.com") });
				const body = { tenantId: named, ...newUser("ours@example.com") };
				await second.auth.api.signUpEmailTenant({ body });
				return getCurrentTenantId();
			}),
		);
		expect(seen).toBe(b);
		expect(await ownersOf(second)).toEqual({
			"core@example.com": named,
			"ours@example.com": named,
		});
	});
});

describe("two copies of this package in one process", () => {
	afterEach(() => {
		vi.resetModules();
	});

	it("share the tenant of the running call", async () => {
		const app = await makeInstance();
		const [a, b] = [await app.makeTenant("tenant-a"), await app.makeTenant("tenant-b")];
		await app.signUp(a, "a@example.com");
		await app.signUp(b, "b@example.com");
		vi.resetModules();
		const copy = await import("../../src/index");
		expect(copy.runInTenant).not.toBe(runInTenant);
		const { adapter } = await app.auth.$context;
		const count = () => adapter.count({ model: "user" });
		expect(await copy.runInTenant(app.auth, a, count)).toBe(1);
		expect(await copy.runAcrossTenants(count)).toBe(2);
		expect(await runInTenant(app.auth, b, copy.getCurrentTenantId)).toBe(b);
		expect(await runAcrossTenants(copy.getCurrentTenantId)).toBeNull();
	});
});
