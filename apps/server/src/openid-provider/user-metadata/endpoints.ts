import { createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import * as z from "zod";
import { describe, tenantId } from "../../endpoint-description";
import { storeUserMetadata, userMetadata, userMetadataOf } from "./user-metadata";

const managed = z.strictObject({
	tenantId,
	userId: z.string().meta({ description: "The user" }),
});
const ownPreferences = userMetadata.pick({ preferences: true });

/** What a tenant stores about its users, and what users store themselves. */
export const userMetadataEndpoints = {
	getTenantUserMetadata: createAuthEndpoint(
		"/tenant/user-metadata/get",
		{
			method: "GET",
			query: managed,
			metadata: describe("Get the metadata and the preferences of a user", userMetadata),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "user-metadata:get");
			return ctx.json(userMetadataOf(await tenant.requireUser(ctx.query.userId)));
		},
	),
	updateTenantUserMetadata: createAuthEndpoint(
		"/tenant/user-metadata/update",
		{
			method: "POST",
			body: managed.extend(userMetadata.partial().shape),
			metadata: describe(
				"Replace the metadata or the preferences of a user; what is left out stays",
				userMetadata,
			),
		},
		async (ctx) => {
			const tenant = await manageTenant(ctx, "user-metadata:update");
			const { tenantId: _, userId, ...changes } = ctx.body;
			const { user, recheck } = await tenant.requireReachableUser(userId);
			const stored = await tenant.change(
				async () => {
					await recheck();
					return storeUserMetadata(ctx.context, user.id, changes);
				},
				() => ({ targetId: user.id, detail: { fields: Object.keys(changes).sort() } }),
			);
			return ctx.json(stored);
		},
	),
	getOwnPreferences: createAuthEndpoint(
		"/preferences/get",
		{
			method: "GET",
			use: [sessionMiddleware],
			metadata: describe("Get the preferences of the signed-in user", ownPreferences),
		},
		async (ctx) => {
			const { id } = ctx.context.session.user;
			// The session has no columns that responses do not have.
			const user = await ctx.context.internalAdapter.findUserById(id);
			return ctx.json({ preferences: userMetadataOf(user ?? {}).preferences });
		},
	),
	updateOwnPreferences: createAuthEndpoint(
		"/preferences/update",
		{
			method: "POST",
			use: [sessionMiddleware],
			body: z.strictObject(ownPreferences.shape),
			metadata: describe("Replace the preferences of the signed-in user", ownPreferences),
		},
		async (ctx) => {
			const { id } = ctx.context.session.user;
			const { preferences } = await storeUserMetadata(ctx.context, id, ctx.body);
			return ctx.json({ preferences });
		},
	),
};
