import { runWithTransaction } from "@better-auth/core/context";
import type { AuthContext } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { recordAppEvent } from "better-auth-tenant";
import * as z from "zod";
import type { Access } from "./access";
import { operatorError } from "./errors";
import { createKey, listKeys, revokeKey } from "./key-store";
import { isScope, type Scope } from "./permissions";
import { requireActor } from "./require-caller";

/** The endpoints that manage keys. */
export const keyEndpoints = (access: Access) => ({
	listOperatorKeys: createAuthEndpoint(
		"/operator/key/list",
		{ method: "GET", metadata: { openapi: { description: "List the keys, newest first" } } },
		async (ctx) => {
			await requireActor(ctx, access, "key:list");
			return ctx.json(await listKeys(ctx.context));
		},
	),

	createOperatorKey: createAuthEndpoint(
		"/operator/key/create",
		{
			method: "POST",
			body: z.strictObject({
				name: z.string().trim().min(1).max(100).meta({ description: "What the key is for" }),
				scopes: z
					.array(z.string().max(64))
					.min(1)
					.max(100)
					.meta({ description: "Roles (operator, auditor, support) or actions" }),
				tenantId: z
					.string()
					.min(1)
					.max(255)
					.meta({ description: "The only tenant that it may manage; default all of them" })
					.optional(),
				expiresAt: z.coerce
					.date()
					.meta({ type: "string", format: "date-time", description: "Default never" })
					.optional(),
			}),
			metadata: {
				openapi: { description: "Create a key; only this response contains it" },
			},
		},
		async (ctx) => {
			const actor = await requireActor(ctx, access, "key:create");
			const { name, tenantId = null, expiresAt = null } = ctx.body;
			const scopes = requireScopes(ctx.body.scopes);
			if (expiresAt && expiresAt <= new Date()) throw operatorError("INVALID_EXPIRY");
			if (tenantId) await requireTenant(ctx.context, tenantId);
			const created = await runWithTransaction(ctx.context.adapter, async () => {
				const createdBy = actor.name ?? null;
				const made = { name, scopes, tenantId, expiresAt, createdBy };
				const key = await createKey(ctx.context, made);
				await recordAppEvent(ctx, {
					action: "app:create-key",
					actor,
					targetId: key.stored.id,
					detail: { name, scopes, tenantId, expiresAt },
				});
				return key;
			});
			return ctx.json({ ...created.stored, key: created.key });
		},
	),

	revokeOperatorKey: createAuthEndpoint(
		"/operator/key/revoke",
		{
			method: "POST",
			body: z.strictObject({
				id: z.string().min(1).max(255).meta({ description: "The id of the key" }),
			}),
			metadata: { openapi: { description: "Revoke a key, at once" } },
		},
		async (ctx) => {
			const actor = await requireActor(ctx, access, "key:revoke");
			await runWithTransaction(ctx.context.adapter, async () => {
				const revoked = await revokeKey(ctx.context, ctx.body.id);
				if (!revoked) throw operatorError("KEY_NOT_FOUND");
				await recordAppEvent(ctx, {
					action: "app:revoke-key",
					actor,
					targetId: revoked.id,
					detail: { name: revoked.name },
				});
			});
			return ctx.json({ success: true });
		},
	),
});

function requireScopes(texts: string[]): Scope[] {
	const wrong = texts.find((text) => !isScope(text));
	if (wrong !== undefined) {
		throw operatorError("INVALID_SCOPE", {
			message: `${JSON.stringify(wrong)} is not a scope: use operator, auditor, support or an action such as tenant:get`,
		});
	}
	return [...new Set(texts.filter(isScope))];
}

async function requireTenant({ adapter }: AuthContext, id: string): Promise<void> {
	const found = await adapter.findOne<{ id: string }>({
		model: "tenant",
		where: [{ field: "id", value: id }],
	});
	if (found?.id !== id) throw operatorError("TENANT_NOT_FOUND");
}
