import { runInTenant } from "better-auth-tenant";
import { type OrganizationToTenantOptions, organizationToTenant } from "better-auth-tenant/imports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { makeInstance, PASSWORD } from "../support/worlds/instance";
import {
	enableSecondFactor,
	makePlatform,
	type Person,
	type Platform,
} from "../support/worlds/moving-people";

type AddMember = (call: {
	body: { userId: string; organizationId: string; role: string };
}) => Promise<unknown>;

describe.each(eachDatabase)("organizationToTenant on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Platform;

	beforeAll(async () => {
		on = await open();
		app = await makePlatform({ on });
	});

	afterAll(() => on.close());

	/** An organization with an invitation, and with members by role. */
	async function found(owner: Person, members: [Person, string][] = []) {
		const as = (path: string, body: object) =>
			app.call(`/organization${path}`, { cookie: owner.cookie, body });
		const logo = "https://cdn.example.com/logo.png";
		const slug = `org-${owner.name}`;
		const more = { logo, metadata: { plan: "pro" } };
		const organizationId = String(
			(await as("/create", { name: owner.name, slug, ...more })).body.id,
		);
		const { addMember } = app.auth.api as unknown as { addMember: AddMember };
		for (const [{ id: userId }, role] of members) {
			await addMember({ body: { userId, organizationId, role } });
		}
		const email = `later-${owner.name}@example.com`;
		await as("/invite-member", { email, role: "member", organizationId });
		return { organizationId, slug, email };
	}

	const convert = (options: OrganizationToTenantOptions) => organizationToTenant(app.auth, options);

	const userIn = async (tenantId: string, email: string) => {
		const { internalAdapter } = await app.auth.$context;
		const find = () => internalAdapter.findUserByEmail(email);
		return (await runInTenant(app.auth, tenantId, find))?.user as
			| { id: string; tenantRole: string | null }
			| undefined;
	};

	it("makes the members users of the tenant, with their roles", async () => {
		const { call, signUp, signIn, sessionOf, manage } = app;
		const [ada, bob, eve] = [await signUp(), await signUp(), await signUp()];
		const { organizationId, slug, email } = await found(ada, [
			[bob, "admin"],
			[eve, "member"],
		]);
		const report = await convert({ organizationId });
		const tenantId = String(report.tenant.id);
		expect(report).toMatchObject({ isDryRun: false, tenant: { name: ada.name, slug } });
		expect(report.pendingInvitations).toEqual([expect.objectContaining({ email, role: "member" })]);
		expect(report.rows).toMatchObject({ user: 3, organization: 1, member: 3, invitation: 1 });
		const roles = [ada, bob, eve].map(
			async ({ email }) => (await userIn(tenantId, email))?.tenantRole,
		);
		expect(await Promise.all(roles)).toEqual(["owner", "admin", null]);
		expect((await signIn(bob.email, tenantId)).status).toBe(200);
		expect((await sessionOf(eve.cookie)).session.tenantId).toBe(tenantId);
		const listed = await call("/organization/list", { cookie: ada.cookie });
		expect(listed.body).toEqual([expect.objectContaining({ id: organizationId })]);
		const tenant = await manage("/tenant/get", { query: { id: tenantId } });
		expect(tenant.body.metadata).toEqual({
			branding: { logoUrl: "https://cdn.example.com/logo.png" },
			organization: { id: organizationId, metadata: { plan: "pro" } },
		});
		const { body: events } = await manage("/tenant/audit/list", { query: { tenantId } });
		const actions = events.map(({ action }: { action: string }) => action).sort();
		expect(actions).toEqual(["tenant:create", "user:move", "user:move", "user:move"]);
	});

	it("uses the id, name and slug that it gets", async () => {
		const ada = await app.signUp();
		const { organizationId } = await found(ada);
		const tenant = { id: `t-${ada.name}`, name: "Acme", slug: `acme-${ada.name}` };
		expect((await convert({ organizationId, tenant })).tenant).toMatchObject(tenant);
		expect((await app.sessionOf(ada.cookie)).session.tenantId).toBe(tenant.id);
	});

	it("shows in a dry run exactly what would happen, and changes nothing", async () => {
		const [ada, bob] = [await app.signUp(), await app.signUp()];
		const { organizationId } = await found(ada, [[bob, "member"]]);
		const before = await app.dump();
		const dry = await convert({ organizationId, dryRun: true });
		expect(await app.dump()).toBe(before);
		expect(dry).toMatchObject({ isDryRun: true, conflicts: [], tenant: { id: null } });
		const done = await convert({ organizationId });
		const { id: _, ...tenant } = done.tenant;
		expect(dry).toEqual({ ...done, isDryRun: true, tenant: { ...tenant, id: null } });
	});

	it("refuses members of several organizations unless it is told what to do, and lists them", async () => {
		const [ada, bob] = [await app.signUp(), await app.signUp()];
		const other = await found(bob);
		const { organizationId } = await found(ada, [[bob, "member"]]);
		const before = await app.dump();
		const conflicts = [
			expect.objectContaining({ code: "IN_SEVERAL_ORGANIZATIONS", userId: bob.id }),
		];
		await expect(convert({ organizationId })).rejects.toMatchObject({
			body: { code: "MOVE_REFUSED", conflicts },
		});
		const dry = await convert({ organizationId, dryRun: true });
		expect(dry.conflicts).toEqual(conflicts);
		expect(dry.members).toContainEqual(
			expect.objectContaining({
				userId: bob.id,
				outcome: "refuse",
				alsoIn: [other.organizationId],
			}),
		);
		expect(await app.dump()).toBe(before);
	});

	it("leaves members of several organizations on the platform", async () => {
		const { call, signUp, sessionOf } = app;
		const [ada, bob] = [await signUp(), await signUp()];
		const other = await found(bob);
		const { organizationId } = await found(ada, [[bob, "admin"]]);
		await call("/organization/set-active", { cookie: bob.cookie, body: { organizationId } });
		const report = await convert({ organizationId, inSeveral: "skip" });
		expect(report.rows).toMatchObject({ user: 1, member: 1 });
		const { session } = await sessionOf(bob.cookie);
		expect(session).toMatchObject({ tenantId: null, activeOrganizationId: null });
		const listed = await call("/organization/list", { cookie: bob.cookie });
		expect(listed.body).toEqual([expect.objectContaining({ id: other.organizationId })]);
		expect(await userIn(String(report.tenant.id), bob.email)).toBeUndefined();
	});

	it("copies members of several organizations, with password and second factor", async () => {
		const { call, signUp, signIn, sessionOf } = app;
		const [ada, bob] = [await signUp(), await signUp()];
		const other = await found(bob);
		const { organizationId } = await found(ada, [[bob, "admin"]]);
		const second = await enableSecondFactor(app, bob.cookie);
		const report = await convert({ organizationId, inSeveral: "copy" });
		const tenantId = String(report.tenant.id);
		const copy = await userIn(tenantId, bob.email);
		expect(copy).toMatchObject({ tenantRole: "admin" });
		expect(copy?.id).not.toBe(bob.id);
		for (const [tenant, id, organization] of [
			[tenantId, copy?.id, organizationId],
			[undefined, bob.id, other.organizationId],
		] as const) {
			const first = await signIn(bob.email, tenant);
			expect(first.body.twoFactorRedirect).toBe(true);
			const code = { code: second.code() };
			const done = await call("/two-factor/verify-totp", { cookie: first.cookie, body: code });
			expect((await sessionOf(done.cookie)).user.id).toBe(id);
			const listed = await call("/organization/list", { cookie: done.cookie });
			expect(listed.body).toEqual([expect.objectContaining({ id: organization })]);
		}
		// From then on they are independent.
		const username = bob.name.replaceAll("-", "_");
		const body = { username, password: PASSWORD };
		for (const tenant of [{ tenant: tenantId }, {}]) {
			expect((await call("/sign-in/username", { body, ...tenant })).status).toBe(200);
		}
	});

	it("refuses an organization that is not on the platform, and a taken slug or id", async () => {
		const [ada, bob] = [await app.signUp(), await app.signUp()];
		const { organizationId, slug } = await found(ada);
		const { tenant } = await convert({ organizationId });
		const again = await found(bob);
		const before = await app.dump();
		for (const id of [organizationId, "nothing", "", "\u0000"]) {
			await expect(convert({ organizationId: id })).rejects.toMatchObject({
				body: { code: "ORGANIZATION_NOT_FOUND" },
			});
		}
		const refusals = [
			[{ slug }, "TENANT_ALREADY_EXISTS"],
			[{ id: String(tenant.id) }, "TENANT_ALREADY_EXISTS"],
			[{ slug: "Not a slug" }, "INVALID_SLUG"],
			[{ slug: "admin" }, "SLUG_RESERVED"],
			[{ name: "" }, "VALIDATION_ERROR"],
			[{ id: "../x" }, "VALIDATION_ERROR"],
		] as const;
		for (const [tenant, code] of notEmpty(refusals)) {
			const { organizationId } = again;
			await expect(convert({ organizationId, tenant })).rejects.toMatchObject({ body: { code } });
		}
		expect(await app.dump()).toBe(before);
	});

	it("lets one of two calls at once win", async () => {
		const ada = await app.signUp();
		const { organizationId } = await found(ada);
		const slugs = [`one-${ada.name}`, `two-${ada.name}`];
		const calls = slugs.map((slug) => convert({ organizationId, tenant: { slug } }));
		const results = await Promise.allSettled(calls);
		expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		const listed = await app.call("/organization/list", { cookie: ada.cookie });
		expect(listed.body).toHaveLength(1);
	});
});

describe("organizationToTenant", () => {
	it("needs the organization plugin", async () => {
		const { auth } = await makeInstance();
		const converted = organizationToTenant(auth, { organizationId: "any" });
		await expect(converted).rejects.toThrow("organization()");
	});
});
