import { describe, expect, it } from "vitest";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import { makeInstance } from "../support/worlds/instance";
import { addPerson } from "../support/worlds/people";

const unique = () => Math.random().toString(36).slice(2, 12);
const TAKEN = "TENANT_ALREADY_EXISTS";

async function makeWorld(options: Parameters<typeof makeInstance>[0] = {}) {
	const app = await makeInstance(options);
	const slug = `acme-${unique()}`;
	const tenantId = await app.makeTenant(slug);
	const rename = (id: string, to: string, more: object = {}) =>
		app.manage("/tenant/update", { body: { tenantId: id, slug: to, ...more } });
	const create = (wanted: string, more: object = {}) =>
		app.manage("/tenant/create", { body: { name: "Other", slug: wanted, ...more } });
	const remove = (id: string) => app.manage("/tenant/delete", { body: { tenantId: id } });
	return { ...app, slug, tenantId, rename, create, remove };
}

describe("the slug that a tenant had", () => {
	it("is not for another tenant after a rename", async () => {
		const { slug, tenantId, rename, create, makeTenant } = await makeWorld();
		expect((await rename(tenantId, `new-${unique()}`)).status).toBe(200);
		expectRefusal(await create(slug), 409, TAKEN);
		expectRefusal(await rename(await makeTenant(), slug), 409, TAKEN);
	});

	it("is not for another tenant after the deletion", async () => {
		const { slug, tenantId, create, remove } = await makeWorld();
		expect((await remove(tenantId)).status).toBe(200);
		expectRefusal(await create(slug), 409, TAKEN);
	});

	it("is not for the owner of another tenant", async () => {
		const app = await makeWorld();
		await app.rename(app.tenantId, `new-${unique()}`);
		const other = await app.makeTenant();
		const { cookie } = await addPerson(app, other, "owner");
		const body = { tenantId: other, slug: app.slug };
		expectRefusal(await app.call("/tenant/update", { body, cookie }), 409, TAKEN);
		const released = { ...body, releaseSlug: true };
		const answer = await app.call("/tenant/update", { body: released, cookie });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("is still for the tenant itself, more than once", async () => {
		const { slug, tenantId, rename, create } = await makeWorld();
		const between = `new-${unique()}`;
		for (const to of [between, slug, between, slug]) {
			expect((await rename(tenantId, to)).body.slug).toBe(to);
		}
		expectRefusal(await create(between), 409, TAKEN);
	});

	it("is kept with all former ones", async () => {
		const { slug, tenantId, rename, create } = await makeWorld();
		const second = `second-${unique()}`;
		await rename(tenantId, second);
		await rename(tenantId, `third-${unique()}`);
		expectRefusal(await create(slug), 409, TAKEN);
		expectRefusal(await create(second), 409, TAKEN);
	});

	it("is for another tenant if the app releases it", async () => {
		const { slug, tenantId, rename, create, makeTenant } = await makeWorld();
		const between = `new-${unique()}`;
		await rename(tenantId, between);
		const created = await create(slug, { releaseSlug: true });
		expect(created.body.slug).toBe(slug);
		// The new tenant has it now, and nobody else gets it.
		expectRefusal(await rename(tenantId, slug, { releaseSlug: true }), 409, TAKEN);
		await rename(tenantId, `third-${unique()}`);
		const renamed = await rename(await makeTenant(), between, { releaseSlug: true });
		expect(renamed.body.slug).toBe(between);
	});

	it("leaves nothing behind if the rename is refused", async () => {
		const { slug, tenantId, rename, create, remove, makeTenant } = await makeWorld();
		const taken = `taken-${unique()}`;
		const other = await makeTenant(taken);
		expectRefusal(await rename(tenantId, taken), 409, TAKEN);
		expectRefusal(await create(slug), 409, TAKEN);
		expect((await rename(tenantId, slug)).status).toBe(200);
		await remove(other);
		expectRefusal(await rename(tenantId, taken), 409, TAKEN);
	});
});

describe.each(eachDatabase)("a slug on %s", (_, open) => {
	it("goes to nobody who asks for it while its tenant is renamed", async () => {
		const on = await open();
		const { slug, tenantId, rename, create } = await makeWorld({ on });
		const asked = Array.from({ length: 4 }, () => create(slug));
		const [renamed, ...answers] = await Promise.all([
			rename(tenantId, `new-${unique()}`),
			...asked,
		]);
		expect(renamed?.status).toBe(200);
		expect(answers.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
		await on.close();
	});
});
