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
