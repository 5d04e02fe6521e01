import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId, runAcrossTenants, runInTenant } from "better-auth-tenant";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Instance, makeInstance } from "../support/instance";

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
