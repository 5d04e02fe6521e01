import { createAuthEndpoint } from "better-auth/api";
import * as z from "zod";
import { describe, tenantId } from "../../endpoint-description";
import { applicationSchema } from "./application";
import {
	applicationChanges,
	applicationList,
	namedApplication,
	newApplication,
	secretRotation,
	success,
	withSecret,
} from "./endpoint-schemas";
import { applicationManagement } from "./management";
import { requireTenantOwner } from "./owner";
import type { ServiceRules } from "./rules";

/** The endpoints that manage the applications of a tenant, by the rules of the plugin's own endpoints. */
export function tenantApplicationEndpoints(rules: ServiceRules) {
	const applications = applicationManagement(rules);
	return {
		createTenantApplication: createAuthEndpoint(
			"/tenant/application/create",
			{
				method: "POST",
				body: newApplication.extend({ tenantId }),
				metadata: describe(
					"Register an application; only this response has its secret",
					withSecret,
				),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:create");
				const { tenantId: _, ...given } = ctx.body;
				return ctx.json(await applications.create(owner, given));
			},
		),
		listTenantApplications: createAuthEndpoint(
			"/tenant/application/list",
			{
				method: "GET",
				query: z.object({ tenantId }).optional(),
				metadata: describe(
					"List a tenant's applications, and then the service-wide ones",
					applicationList,
				),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:list");
				return ctx.json(await applications.list(owner));
			},
		),
		getTenantApplication: createAuthEndpoint(
			"/tenant/application/get",
			{
				method: "GET",
				query: namedApplication.extend({ tenantId }).strip(),
				metadata: describe("Get an application", applicationSchema),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:get");
				return ctx.json(await applications.get(owner, ctx.query.clientId));
			},
		),
		updateTenantApplication: createAuthEndpoint(
			"/tenant/application/update",
			{
				method: "POST",
				body: applicationChanges.extend({ tenantId }),
				metadata: describe("Change an application; what is left out stays", applicationSchema),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:update");
				const { tenantId: _, clientId, ...changes } = ctx.body;
				return ctx.json(await applications.update(owner, clientId, changes));
			},
		),
		rotateTenantApplicationSecret: createAuthEndpoint(
			"/tenant/application/rotate-secret",
			{
				method: "POST",
				body: secretRotation.extend({ tenantId }),
				metadata: describe(
					"Give an application a new secret; the old one stops, at once or after the overlap",
					withSecret,
				),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:rotate-secret");
				const { clientId, overlapHours } = ctx.body;
				return ctx.json(await applications.rotateSecret(owner, clientId, overlapHours));
			},
		),
		deleteTenantApplication: createAuthEndpoint(
			"/tenant/application/delete",
			{
				method: "POST",
				body: namedApplication.extend({ tenantId }),
				metadata: describe("Delete an application with its tokens and consents", success),
			},
			async (ctx) => {
				const owner = await requireTenantOwner(ctx, "application:delete");
				return ctx.json(await applications.remove(owner, ctx.body.clientId));
			},
		),
	};
}
