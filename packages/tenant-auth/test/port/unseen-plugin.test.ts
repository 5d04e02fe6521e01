import { readFileSync } from "node:fs";
import { cleanUp, type TenantEvent, tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { expectRefusal } from "../support/http/refusal";
import { makePeople } from "../support/worlds/people";
import { requireConformance } from "../support/worlds/require-conformance";
import { notes } from "./notes";

const reader = tenantAccess.newRole({ note: ["list"] });

async function makeWorld() {
	const events: TenantEvent[] = [];
	const app = await makePeople({
		plugins: [notes()],
		tenants: { roles: { reader }, onEvent: (event) => void events.push(event) },
	});
	const create = (cookie: string, text = "Buy milk") =>
		app.call("/tenant/note/create", { body: { tenantId: app.tenantId, text }, cookie });
	const list = (cookie: string) =>
		app.call("/tenant/note/list", { query: { tenantId: app.tenantId }, cookie });
	return { ...app, events, create, list };
}

describe("a plugin that nobody has seen", () => {
	it("is the one of the document", () => {
		const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
		const page = read("../../../../docs/extending.md");
		const [, code] = page.match(/^```ts notes\.ts\n(.*?)^```$/ms) ?? [];
		expect(code).toBe(read("./notes.ts").replaceAll("\t", "  "));
	});

	it("is allowed to those whose role permits it", async () => {
		const { owner, admin, member, stranger, create, list, add } = await makeWorld();
		expect((await create(owner.cookie)).status).toBe(200);
		expect((await list(admin.cookie)).body).toMatchObject([{ text: "Buy milk" }]);
		const reading = await add("reader");
		expect((await list(reading.cookie)).body).toHaveLength(1);
		for (const { cookie } of [reading, member, stranger]) {
			expectRefusal(await create(cookie), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		}
		expectRefusal(await list(member.cookie), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
	});

	it("shows what its user may do", async () => {
		const { owner, member, call } = await makeWorld();
		const actionsOf = async (cookie: string) =>
			(await call("/tenant/permissions", { cookie })).body.actions;
		expect(await actionsOf(owner.cookie)).toContain("note:create");
		expect(await actionsOf(member.cookie)).toEqual([]);
	});

	it("has audit events, and events for the app and for webhooks", async () => {
		const { owner, create, manage, tenantId, events, db } = await makeWorld();
		const hook = { tenantId, url: "https://hooks.example.com/in", eventTypes: ["note.created"] };
		expect((await manage("/tenant/webhook/create", { body: hook })).status).toBe(200);
		const { id } = (await create(owner.cookie)).body;
		const { body } = await manage("/tenant/audit/list", { query: { tenantId } });
		expect(body[0]).toMatchObject({ action: "note:create", targetId: id });
		expect(events.at(-1)).toMatchObject({ type: "note.created", tenantId, data: { noteId: id } });
		const queued = await db.selectFrom("tenantWebhookDelivery").select("eventType").execute();
		expect(queued).toEqual([{ eventType: "note.created" }]);
		const unknown = { ...hook, eventTypes: ["note.lost"] };
		expectRefusal(
			await manage("/tenant/webhook/create", { body: unknown }),
			400,
			"VALIDATION_ERROR",
		);
	});

	it("keeps to its tenant", async () => {
		const { owner, create, manage, otherTenantId, call } = await makeWorld();
		await create(owner.cookie);
		const query = { tenantId: otherTenantId };
		expect((await manage("/tenant/note/list", { query })).body).toEqual([]);
		const other = await call("/tenant/note/list", { query, cookie: owner.cookie });
		expectRefusal(other, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		await requireConformance(notes);
	});

	it("leaves no row of a deleted tenant", async () => {
		const { owner, create, manage, tenantId, otherTenantId, db } = await makeWorld();
		await create(owner.cookie);
		const kept = { tenantId: otherTenantId, text: "Stays" };
		expect((await manage("/tenant/note/create", { body: kept })).status).toBe(200);
		expect((await manage("/tenant/delete", { body: { tenantId } })).status).toBe(200);
		expect(await db.selectFrom("note").select("text").execute()).toEqual([{ text: "Stays" }]);
	});

	it("is not called by a session that impersonates", async () => {
		const { owner, member, manage, tenantId, create } = await makeWorld();
		await create(owner.cookie);
		const body = { tenantId, userId: owner.id, reason: "help" };
		const { cookie } = await manage("/tenant/user/impersonate", { body });
		expect((await create(cookie)).status).toBeGreaterThanOrEqual(401);
		expect(member.id).not.toBe(owner.id);
	});

	it("cleans up with the others", async () => {
		const cleaning = {
			...notes(),
			tenant: { ...Object(notes()).tenant, cleanUp: { notes: async () => 3 } },
		};
		const { auth } = await makePeople({ plugins: [cleaning] });
		expect(await cleanUp(auth)).toMatchObject({ sessions: 0, notes: 3, webhookDeliveries: 0 });
	});
});
