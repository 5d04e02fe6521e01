import { getCurrentAdapter } from "@better-auth/core/context";
import { createAuthEndpoint } from "better-auth/api";
import { defineTenantPlugin, manageTenant } from "better-auth-tenant";
import * as z from "zod";

const tenantId = z.string().optional();

const createNote = createAuthEndpoint(
	"/tenant/note/create",
	{ method: "POST", body: z.strictObject({ tenantId, text: z.string().max(1000) }) },
	async (ctx) => {
		const tenant = await manageTenant(ctx, "note:create");
		const note = await tenant.change(
			async () => {
				const adapter = await getCurrentAdapter(ctx.context.adapter);
				return adapter.create({ model: "note", data: { text: ctx.body.text } });
			},
			({ id }) => ({ targetId: id }),
		);
		return ctx.json(note);
	},
);

const listNotes = createAuthEndpoint(
	"/tenant/note/list",
	{ method: "GET", query: z.strictObject({ tenantId }).optional() },
	async (ctx) => {
		const tenant = await manageTenant(ctx, "note:list");
		return ctx.json(await tenant.read(() => ctx.context.adapter.findMany({ model: "note" })));
	},
);

export const notes = () =>
	defineTenantPlugin({
		id: "notes",
		schema: { note: { fields: { text: { type: "string", required: true } } } },
		endpoints: { createNote, listNotes },
		tenant: {
			actions: {
				"note:list": "owner",
				"note:create": {
					grant: "owner",
					event: ({ targetId }) => ({ type: "note.created", data: { noteId: targetId } }),
				},
			},
			events: { "note.created": "A note was created" },
		},
	});
