import { createAuthMiddleware } from "better-auth/api";
import { magicLink } from "better-auth/plugins";
import {
	getCurrentTenant,
	getCurrentTenantId,
	runAcrossTenants,
	runInTenant,
	runOnPlatform,
	withTenant,
} from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

describe("getCurrentTenant", () => {
	const world = useWorld(async () => {
		const seen: unknown[] = [];
		const sent: { to: string; tenant: unknown }[] = [];
		const instance = await makeInstance({
			emailAndPassword: {
				...cheapPasswords,
				enabled: true,
				sendResetPassword: withTenant(async ({ user, tenant }) => {
					sent.push({ to: user.email, tenant: tenant?.slug ?? null });
				}),
			},
			hooks: {
				after: createAuthMiddleware(async () => {
					seen.push(await getCurrentTenant());
				}),
			},
			plugins: [
				magicLink({
					sendMagicLink: withTenant(({ email, tenant }) => {
						sent.push({ to: email, tenant: tenant?.metadata ?? null });
					}),
				}),
			],
		});
		const { body } = await instance.manage("/tenant/create", {
			body: { name: "Acme", slug: "acme", metadata: { plan: "pro" } },
		});
		const tenantId: string = body.id;
		const { cookie } = await instance.signUp(tenantId);
		return { ...instance, tenantId, cookie, seen, sent };
	});

	it("is the whole tenant in a request, without another statement", async () => {
		const { call, tenantId, cookie, seen, statements } = world();
		statements.length = 0;
		await call("/get-session", { cookie });
		expect(seen.at(-1)).toMatchObject({ id: tenantId, slug: "acme", metadata: { plan: "pro" } });
		expect(statements.filter((sql) => sql.includes('from "tenant"'))).toHaveLength(1);
	});

	it("is null on the platform, across tenants and outside of a request", async () => {
		const { call, seen } = world();
		await call("/ok");
		expect(seen.at(-1)).toBe(null);
		expect(await getCurrentTenant()).toBe(null);
		expect(await runAcrossTenants(() => getCurrentTenant())).toBe(null);
	});

	it("is the tenant of runInTenant, which has read it already, suspended or not", async () => {
		const { auth, manage, tenantId, statements } = world();
		statements.length = 0;
		const work = () => getCurrentTenant();
		expect(await runInTenant(auth, tenantId, work)).toMatchObject({ slug: "acme" });
		expect(statements).toHaveLength(1);
		await manage("/tenant/suspend", { body: { tenantId } });
		const found = await runInTenant(auth, tenantId, work, { allowSuspended: true });
		expect(found?.suspendedAt).toBeInstanceOf(Date);
	});

	it("is none in runOnPlatform, which sees rows of no tenant only, also inside of a tenant", async () => {
		const { auth, call, signUp } = await makeInstance();
		const { id } = await auth.api.createTenant({ body: { name: "Acme", slug: "on-platform" } });
		await signUp(id, "ada@example.com");
		const body = { name: "Root", email: "root@example.com", password: "correct horse battery" };
		await call("/sign-up/email", { body });
		const { adapter } = await auth.$context;
		const emails = async () => {
			const users = await adapter.findMany<{ email: string }>({ model: "user" });
			return users.map(({ email }) => email);
		};
		await runInTenant(auth, id, async () => {
			expect(await emails()).toEqual(["ada@example.com"]);
			expect(await runOnPlatform(getCurrentTenantId)).toBe(null);
			expect(await runOnPlatform(emails)).toEqual(["root@example.com"]);
			expect(await getCurrentTenantId()).toBe(id);
		});
	});

	it("comes with the data of a callback, of Better Auth or of a plugin", async () => {
		const { call, tenantId, sent } = world();
		const email = "user@example.com";
		const { signUp } = world();
		await signUp(tenantId, email);
		await call("/request-password-reset", { body: { email }, tenant: tenantId });
		await call("/sign-in/magic-link", { body: { email }, tenant: tenantId });
		await call("/sign-in/magic-link", { body: { email } });
		expect(sent).toEqual([
			{ to: email, tenant: "acme" },
			{ to: email, tenant: { plan: "pro" } },
			{ to: email, tenant: null },
		]);
	});
});
