import type { BetterAuthPlugin } from "@better-auth/core";
import { getCurrentAdapter } from "@better-auth/core/context";
import { createAuthEndpoint } from "better-auth/api";
import { defineTenantPlugin, manageTenant, updateTenantBranding } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

/** An endpoint of an app, which renames the users of a tenant. */
const renaming = defineTenantPlugin({
	id: "renaming",
	tenant: { actions: { "application:update": "owner" } },
	endpoints: {
		rename: createAuthEndpoint(
			"/tenant/application/update",
			{ method: "POST", body: z.object({ tenantId: z.string().optional(), name: z.string() }) },
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:update");
				const { name } = ctx.body;
				const changed = await tenant.change(
					async () => {
						const database = await getCurrentAdapter(ctx.context.adapter);
						const count = await database.updateMany({ model: "user", where: [], update: { name } });
						if (name === "fail") throw new Error("it fails");
						return count;
					},
					(count) => ({ targetId: "users", detail: { count } }),
				);
				const read = await tenant.read(() =>
					ctx.context.adapter.findMany<{ name: string }>({ model: "user" }),
				);
				return ctx.json({ changed, names: read.map((user) => user.name), ...tenant });
			},
		),
	},
});

/** An endpoint of an app, which changes the branding of a tenant. */
const branding = {
	id: "branding",
	endpoints: {
		brand: createAuthEndpoint(
			"/tenant/brand",
			{ method: "POST", body: z.object({ tenantId: z.string().optional(), tagline: z.string() }) },
			async (ctx) => {
				const tenant = await manageTenant(ctx, "tenant:update");
				const { tagline } = ctx.body;
				const { metadata } = await tenant.change(
					() => updateTenantBranding(ctx, tenant.tenantId, { tagline }),
					() => ({ detail: { tagline: true } }),
				);
				return ctx.json({ metadata });
			},
		),
	},
} satisfies BetterAuthPlugin;

const PATH = "/tenant/application/update";

const world = useWorld(() => makeTwoUsers({ plugins: [renaming, branding] }));

describe("updateTenantBranding()", () => {
	const brand = (body: object) => world().manage("/tenant/brand", { body });

	it("changes the given fields, and nothing else in the metadata", async () => {
		const { auth } = world();
		const stored = {
			plan: "gold",
			branding: { logoUrl: "https://a.example/x.png", tagline: "Old" },
		};
		const { id: tenantId } = await auth.api.createTenant({
			body: { name: "C", slug: "branded", metadata: stored },
		});
		const { body } = await brand({ tenantId, tagline: "New" });
		expect(body.metadata).toEqual({
			plan: "gold",
			branding: { logoUrl: "https://a.example/x.png", tagline: "New" },
		});
		const [event] = await auth.api.listTenantAuditEvents({ query: { tenantId } });
		expect(event).toMatchObject({ action: "tenant:update", detail: { tagline: true } });
	});

	it("adds the branding to a tenant without metadata", async () => {
		const { a } = world();
		expect((await brand({ tenantId: a, tagline: "New" })).body.metadata).toEqual({
			branding: { tagline: "New" },
		});
	});

	it("loses no change of the rest of the metadata at the same time", async () => {
		const { a, auth } = world();
		await Promise.all([
			...["1", "2", "3"].map((tagline) => brand({ tenantId: a, tagline })),
			auth.api.updateTenant({ body: { tenantId: a, name: "Renamed" } }),
		]);
		const tenant = await auth.api.getTenant({ query: { id: a } });
		expect(tenant.name).toBe("Renamed");
		expect(Object.keys(tenant.metadata ?? {})).toEqual(["branding"]);
	});

	it("refuses metadata that is too large, and changes nothing", async () => {
		const { auth } = world();
		const { id: tenantId } = await auth.api.createTenant({
			body: { name: "D", slug: "full", metadata: { text: "x".repeat(16_300) } },
		});
		expect((await brand({ tenantId, tagline: "y".repeat(200) })).status).toBe(400);
		const { metadata } = await auth.api.getTenant({ query: { id: tenantId } });
		expect(metadata).not.toHaveProperty("branding");
	});
});

describe("an endpoint of an app with manageTenant()", () => {
	it("works in the tenant that the request names, and writes an audit event", async () => {
		const { a, b, manage, auth } = world();
		const { body } = await manage(PATH, { body: { tenantId: a, name: "New" } });
		expect(body).toEqual({
			actor: { kind: "key", id: expect.any(String) },
			changed: 1,
			role: null,
			names: ["New"],
			tenantId: a,
			slug: (await auth.api.getTenant({ query: { id: a } })).slug,
		});
		const events = await manage("/tenant/audit/list", { query: { action: "application:update" } });
		expect(events.body).toEqual([
			expect.objectContaining({ tenantId: a, targetId: "users", detail: { count: 1 } }),
		]);
		const others = await auth.api.listTenantUsers({ query: { tenantId: b } });
		expect(others.map(({ name }) => name)).not.toContain("New");
	});

	it("is refused without management, and by a user without a role", async () => {
		const { a, ada, call } = world();
		const body = { tenantId: a, name: "Other" };
		expect((await call(PATH, { body })).status).toBe(401);
		expect((await call(PATH, { body, cookie: ada.cookie })).status).toBe(403);
	});

	it("is allowed to an owner, in the own tenant only", async () => {
		const { a, b, ada, call, manage } = world();
		const userId = ada.body.user.id;
		await manage("/tenant/user/update", { body: { tenantId: a, userId, role: "owner" } });
		const asOwner = (tenantId: string) =>
			call(PATH, { body: { tenantId, name: "By owner" }, cookie: ada.cookie });
		expect((await asOwner(a)).status).toBe(200);
		expect((await asOwner(b)).status).toBe(403);
	});

	it("changes nothing if it fails, and writes no event", async () => {
		const { a, manage, auth } = world();
		const before = await auth.api.listTenantUsers({ query: { tenantId: a } });
		const events = async () => (await manage("/tenant/audit/list")).body.length;
		const written = await events();
		expect((await manage(PATH, { body: { tenantId: a, name: "fail" } })).status).toBe(500);
		expect(await auth.api.listTenantUsers({ query: { tenantId: a } })).toEqual(before);
		expect(await events()).toBe(written);
	});
});
