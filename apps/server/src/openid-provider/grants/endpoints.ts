import { runWithTransaction } from "@better-auth/core/context";
import { createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import * as z from "zod";
import { describe, tenantId } from "../../endpoint-description";
import { success } from "../applications/endpoint-schemas";
import { grantSchema } from "./grant";
import { listGrants, removeGrant } from "./store";

const grantList = z.array(grantSchema);
const clientId = z.string().max(128).meta({ description: "The application" });
const managed = z.strictObject({
	tenantId,
	userId: z.string().meta({ description: "The user" }),
});

/** Which applications have access to a user: for the user, and for those who manage the tenant. */
export const grantEndpoints = {
	listOwnGrants: createAuthEndpoint(
		"/grant/list",
		{
			method: "GET",
			use: [sessionMiddleware],
			metadata: describe("List the applications that the user has granted access", grantList),
		},
		async (ctx) => ctx.json(await listGrants(ctx.context, ctx.context.session.user.id)),
	),
	removeOwnGrant: createAuthEndpoint(
		"/grant/remove",
		{
			method: "POST",
			use: [sessionMiddleware],
			body: z.strictObject({ clientId }),
			metadata: describe("End the access of an application; it has to ask again", success),
		},
		async (ctx) => {
			const { context, body } = ctx;
			const userId = context.session.user.id;
			await runWithTransaction(context.adapter, () =>
				removeGrant(context, { userId, clientId: body.clientId }),
			);
			return ctx.json({ success: true as const });
		},
	),
	listTenantGrants: createAuthEndpoint(
		"/tenant/grant/list",
		{
			method: "GET",
			query: managed,
			metadata: describe("List the applications that a user has granted access", grantList),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "grant:list");
			const { id } = await tenant.requireUser(ctx.query.userId);
			return ctx.json(await tenant.read(() => listGrants(ctx.context, id)));
		},
	),
	revokeTenantGrant: createAuthEndpoint(
		"/tenant/grant/revoke",
		{
			method: "POST",
			body: managed.extend({ clientId }),
			metadata: describe("End the access of an application to a user", success),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "grant:revoke");
			const { user, recheck } = await tenant.requireReachableUser(ctx.body.userId);
			const { clientId } = ctx.body;
			const userId = user.id;
			await tenant.change(
				async () => {
					await recheck();
					await removeGrant(ctx.context, { userId, clientId });
				},
				() => ({ targetId: userId, detail: { clientId } }),
			);
			return ctx.json({ success: true as const });
		},
	),
};
