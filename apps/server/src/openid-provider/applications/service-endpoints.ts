import { createAuthEndpoint } from "better-auth/api";
import { describe } from "../../endpoint-description";
import type { Access } from "../../operators/access";
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
import { requireServiceOwner } from "./owner";
import type { ServiceRules } from "./rules";

/** The endpoints that manage service-wide applications, which work at every tenant. For operators only. */
export function serviceApplicationEndpoints(rules: ServiceRules, access: Access) {
	const applications = applicationManagement(rules);
	return {
		createServiceApplication: createAuthEndpoint(
			"/operator/application/create",
			{
				method: "POST",
				body: newApplication,
				metadata: describe(
					"Register a service-wide application; only this response has its secret",
					withSecret,
				),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:create");
				return ctx.json(await applications.create(owner, ctx.body));
			},
		),
		listServiceApplications: createAuthEndpoint(
			"/operator/application/list",
			{
				method: "GET",
				metadata: describe("List the service-wide applications", applicationList),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:list");
				return ctx.json(await applications.list(owner));
			},
		),
		getServiceApplication: createAuthEndpoint(
			"/operator/application/get",
			{
				method: "GET",
				query: namedApplication.strip(),
				metadata: describe("Get a service-wide application", applicationSchema),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:get");
				return ctx.json(await applications.get(owner, ctx.query.clientId));
			},
		),
		updateServiceApplication: createAuthEndpoint(
			"/operator/application/update",
			{
				method: "POST",
				body: applicationChanges,
				metadata: describe(
					"Change a service-wide application; what is left out stays",
					applicationSchema,
				),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:update");
				const { clientId, ...changes } = ctx.body;
				return ctx.json(await applications.update(owner, clientId, changes));
			},
		),
		rotateServiceApplicationSecret: createAuthEndpoint(
			"/operator/application/rotate-secret",
			{
				method: "POST",
				body: secretRotation,
				metadata: describe(
					"Give a service-wide application a new secret; the old one stops, at once or after the overlap",
					withSecret,
				),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:rotate-secret");
				const { clientId, overlapHours } = ctx.body;
				return ctx.json(await applications.rotateSecret(owner, clientId, overlapHours));
			},
		),
		deleteServiceApplication: createAuthEndpoint(
			"/operator/application/delete",
			{
				method: "POST",
				body: namedApplication,
				metadata: describe(
					"Delete a service-wide application with its tokens and consents in all tenants",
					success,
				),
			},
			async (ctx) => {
				const owner = await requireServiceOwner(ctx, access, "application:delete");
				return ctx.json(await applications.remove(owner, ctx.body.clientId));
			},
		),
	};
}
