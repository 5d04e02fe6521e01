import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { expectRefusal } from "../support/http/refusal";
import { makePeople } from "../support/worlds/people";
import { useWorld } from "../support/worlds/world";

/** Everybody who is signed in on the platform counts as an admin of every tenant. */
const canManageTenants = (ctx: { headers?: Headers | undefined }) =>
	Boolean(ctx.headers?.get("x-admin"));

const roles = {
	integrator: tenantAccess.newRole({ "oauth-config": ["register", "list", "update"] }),
};

describe("trustEmails of a verified email domain", () => {
	const world = useWorld(async () => {
		const tenants = { canManageTenants, roles, allowPrivateProviderHosts: true };
		const app = await makePeople({ tenants });
		const { addDomain, manage, tenantId } = app;
		await addDomain(tenantId, "acme.com", "email");
		await addDomain(tenantId, "login.acme.com", "login");
		await addDomain(await app.makeTenant(), "globex.com", "email");
		const pending = { tenantId, host: "pending.com", purpose: "email" };
		await manage("/tenant/domain/add", { body: pending });
		return { ...app, integrator: await app.add("integrator") };
	});

	const config = (trustEmails: string[]) => ({
		tenantId: world().tenantId,
		providerId: "gitlab",
		clientId: "id",
		clientSecret: "secret",
		options: { issuer: "https://gitlab.example.com" },
		trustEmails,
	});

	const register = (caller: { cookie?: string; headers?: Record<string, string> }, to: string[]) =>
		world().call("/tenant/oauth-config/register", { ...caller, body: config(to) });

	it("can be set by an owner, for exactly this domain", async () => {
		const { call, owner, tenantId } = world();
		for (const trusted of [
			["globex.com"],
			["acme.com", "globex.com"],
			["sub.acme.com"],
			["login.acme.com"],
			["pending.com"],
			[],
		]) {
			expectRefusal(await register(owner, trusted), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		}
		const done = await register(owner, ["acme.com"]);
		expect(done.body).toMatchObject({ trustEmails: ["acme.com"] });
		const body = { tenantId, providerId: "gitlab", trustEmails: ["globex.com"] };
		const update = await call("/tenant/oauth-config/update", { body, cookie: owner.cookie });
		expectRefusal(update, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("cannot be set by anybody below, who could sign in as an owner then", async () => {
		const { call, manage, admin, integrator, tenantId } = world();
		const below = [admin, integrator, { headers: { "x-admin": "yes" } }];
		for (const caller of notEmpty(below)) {
			expectRefusal(await register(caller, ["acme.com"]), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		}
		await manage("/tenant/oauth-config/register", {
			body: { ...config([]), trustEmails: undefined },
		});
		const body = { tenantId, providerId: "gitlab", trustEmails: ["acme.com"] };
		for (const caller of notEmpty(below)) {
			const update = await call("/tenant/oauth-config/update", { ...caller, body });
			expectRefusal(update, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		}
	});
});
