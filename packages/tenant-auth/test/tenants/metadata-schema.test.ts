import { describe, expect, it } from "vitest";
import * as z from "zod";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

const metadata = z.object({
	plan: z.enum(["free", "pro"]),
	seats: z.int().default(5),
	owner: z.object({ email: z.email() }).optional(),
});

describe("a schema for the metadata", () => {
	const world = useWorld(() => makeInstance({ tenants: { metadata } }));
	const create = (given: unknown) =>
		world().manage("/tenant/create", { body: { name: "Acme", slug: "acme", metadata: given } });

	it("stores what the schema returns", async () => {
		const { status, body } = await create({ plan: "pro", unknown: true });
		expect(status).toBe(200);
		expect(body.metadata).toEqual({ plan: "pro", seats: 5 });
		const query = { slug: "acme" };
		const found = await world().manage("/tenant/get", { query });
		expect(found.body.metadata).toEqual({ plan: "pro", seats: 5 });
	});

	it("refuses other metadata, names the field, and changes nothing", async () => {
		const answer = await create({ plan: "gold", owner: { email: "nobody" } });
		expectRefusal(answer, 400, "VALIDATION_ERROR");
		expect(answer.body.message).toContain("[body.metadata.plan]");
		expect(answer.body.message).toContain("[body.metadata.owner.email]");
		expect((await world().manage("/tenant/list")).body).toEqual([]);
	});

	it("checks updates too, and lets a tenant have none", async () => {
		const { body: tenant } = await create(null);
		expect(tenant.metadata).toBeNull();
		const update = (given: unknown) =>
			world().manage("/tenant/update", { body: { tenantId: tenant.id, metadata: given } });
		expectRefusal(await update({ plan: "gold" }), 400, "VALIDATION_ERROR");
		expect((await update({ plan: "free", seats: 1 })).body.metadata).toEqual({
			plan: "free",
			seats: 1,
		});
		expect((await update(null)).body.metadata).toBeNull();
	});

	it("may be asynchronous and of any library with Standard Schema", async () => {
		const evenSeats = {
			"~standard": {
				validate: async (value: unknown) => {
					const { seats } = value as { seats: number };
					return seats % 2 === 0
						? { value: { seats } }
						: { issues: [{ message: "Seats come in pairs", path: [{ key: "seats" }] }] };
				},
			},
		};
		const { manage } = await makeInstance({ tenants: { metadata: evenSeats } });
		const body = { name: "Acme", slug: "acme", metadata: { seats: 3 } };
		const refused = await manage("/tenant/create", { body });
		expect(refused.body.message).toBe("[body.metadata.seats] Seats come in pairs");
		const made = await manage("/tenant/create", { body: { ...body, metadata: { seats: 4 } } });
		expect(made.body.metadata).toEqual({ seats: 4 });
	});
});

const branding = { primaryColor: "#2456e6" };

describe.each([
	["leaves out other fields", z.object({ plan: z.enum(["free", "pro"]) })],
	["refuses other fields", z.strictObject({ plan: z.enum(["free", "pro"]) })],
])("the branding, beside a schema that %s", (_, schema) => {
	const world = useWorld(async () => {
		const app = await makeInstance({ tenants: { metadata: schema } });
		const tenantId = await app.makeTenant();
		const { body, cookie } = await app.signUp(tenantId);
		await app.manage("/tenant/user/update", {
			body: { tenantId, userId: body.user.id, role: "owner" },
		});
		return { ...app, tenantId, cookie };
	});
	const stored = async () => {
		const { manage, tenantId } = world();
		return (await manage("/tenant/get", { query: { id: tenantId } })).body.metadata;
	};

	it("is kept when a tenant is created", async () => {
		const body = { name: "Acme", slug: "acme", metadata: { plan: "pro", branding } };
		const made = await world().manage("/tenant/create", { body });
		expect(made.body.metadata).toEqual({ plan: "pro", branding });
	});

	it("is kept when management updates the metadata, and still checks the rest", async () => {
		const { manage, tenantId } = world();
		const update = (metadata: object) => manage("/tenant/update", { body: { tenantId, metadata } });
		expect((await update({ plan: "free", branding })).body.metadata).toEqual({
			plan: "free",
			branding,
		});
		expectRefusal(await update({ plan: "gold", branding }), 400, "VALIDATION_ERROR");
		expectRefusal(await update({ branding }), 400, "VALIDATION_ERROR");
	});

	it.each([null, { plan: "pro" }])("is kept when an owner sets it, beside %j", async (metadata) => {
		const { manage, call, tenantId, cookie } = world();
		await manage("/tenant/update", { body: { tenantId, metadata } });
		const body = { tenantId, metadata: { branding } };
		const answer = await call("/tenant/update", { body, cookie });
		expect([answer.status, answer.body.metadata]).toEqual([200, { branding }]);
		expect(await stored()).toEqual({ ...metadata, branding });
		const options = await call("/tenant/login-options", { query: { tenantId } });
		expect(options.body.branding).toEqual(branding);
		await call("/tenant/update", { body: { tenantId, metadata: null }, cookie });
		expect(await stored()).toEqual(metadata);
	});
});

it("a schema that has a branding decides about it", async () => {
	const primaryColor = z.enum(["#000000", "#ffffff"]);
	const schema = z.object({ plan: z.string(), branding: z.object({ primaryColor }).optional() });
	const { manage, makeTenant, signUp, call } = await makeInstance({
		tenants: { metadata: schema },
	});
	const tenantId = await makeTenant();
	const { body: ada, cookie } = await signUp(tenantId);
	await manage("/tenant/user/update", { body: { tenantId, userId: ada.user.id, role: "owner" } });
	const bodyWith = (color: string) => ({
		body: { tenantId, metadata: { branding: { primaryColor: color } } },
		cookie,
	});
	const refused = await call("/tenant/update", bodyWith("#2456e6"));
	expectRefusal(refused, 400, "VALIDATION_ERROR");
	expect((await call("/tenant/update", bodyWith("#ffffff"))).status).toBe(200);
	const metadata = { plan: "pro", branding };
	const byManagement = await manage("/tenant/update", { body: { tenantId, metadata } });
	expectRefusal(byManagement, 400, "VALIDATION_ERROR");
});
