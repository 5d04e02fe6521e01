import { APIError, createAuthEndpoint } from "better-auth/api";
import { manageTenant } from "better-auth-tenant";
import * as z from "zod";
import {
	type ApplicationSettings,
	type ApplicationType,
	applicationSchema,
	applicationTypes,
	hasSecret,
	isWebUri,
	settingsSchema,
	toApplication,
	USER_SCOPES,
} from "./application";
import {
	deleteClient,
	insertClient,
	listClients,
	requireClient,
	rotateSecret,
	updateClient,
} from "./store";

const tenantId = z
	.string()
	.optional()
	.meta({ description: "The tenant; not needed if the host or the header names it" });
const clientId = z.string().meta({ description: "The application" });
const secret = z.string().nullable().meta({ description: "It is not shown again" });
const withSecret = applicationSchema.extend({ clientSecret: secret });
const success = z.object({ success: z.literal(true) });

/** The endpoints that manage the applications of a tenant, by the rules of the plugin's own endpoints. */
export function applicationEndpoints(apiScopes: readonly string[]) {
	const scopesOf = (type: ApplicationType) =>
		type === "machine" ? [...apiScopes] : [...USER_SCOPES, ...apiScopes];

	return {
		createTenantApplication: createAuthEndpoint(
			"/tenant/application/create",
			{
				method: "POST",
				body: settingsSchema
					.partial()
					.required({ name: true })
					.extend({ tenantId, type: z.enum(applicationTypes) }),
				metadata: describe("Register an application; only this answer has its secret", withSecret),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:create");
				const { tenantId: _, type, ...given } = ctx.body;
				const settings: ApplicationSettings = {
					logoUrl: null,
					redirectUris: [],
					postLogoutRedirectUris: [],
					allowedOrigins: [],
					scopes: scopesOf(type),
					firstParty: false,
					requirePkce: true,
					...given,
				};
				requireUsable(type, settings, scopesOf(type));
				const { row, secret } = await tenant.change(
					() => insertClient(ctx.context, type, settings),
					(created) => ({
						targetId: created.row.clientId,
						detail: { name: settings.name, type, firstParty: settings.firstParty },
					}),
				);
				return ctx.json({ ...toApplication(row, tenant.tenantId), clientSecret: secret });
			},
		),
		listTenantApplications: createAuthEndpoint(
			"/tenant/application/list",
			{
				method: "GET",
				query: z.object({ tenantId }).optional(),
				metadata: describe("List a tenant's applications", z.array(applicationSchema)),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:list");
				const rows = await tenant.read(() => listClients(ctx.context));
				return ctx.json(rows.map((row) => toApplication(row, tenant.tenantId)));
			},
		),
		getTenantApplication: createAuthEndpoint(
			"/tenant/application/get",
			{
				method: "GET",
				query: z.object({ tenantId, clientId }),
				metadata: describe("Get an application", applicationSchema),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:get");
				const row = await tenant.read(() => requireClient(ctx.context, ctx.query.clientId));
				return ctx.json(toApplication(row, tenant.tenantId));
			},
		),
		updateTenantApplication: createAuthEndpoint(
			"/tenant/application/update",
			{
				method: "POST",
				body: settingsSchema.partial().extend({
					tenantId,
					clientId,
					disabled: z
						.boolean()
						.optional()
						.meta({ description: "Whether it is refused, with all its tokens" }),
				}),
				metadata: describe("Change an application; what is left out stays", applicationSchema),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:update");
				const { tenantId: _, clientId, ...changes } = ctx.body;
				const row = await tenant.change(
					async () => {
						const found = await requireClient(ctx.context, clientId);
						const before = toApplication(found, tenant.tenantId);
						const after = { ...before, ...changes };
						requireUsable(before.type, after, scopesOf(before.type));
						return updateClient(ctx.context, clientId, before.type, after);
					},
					() => ({ targetId: clientId, detail: { fields: Object.keys(changes).sort() } }),
				);
				return ctx.json(toApplication(row, tenant.tenantId));
			},
		),
		rotateTenantApplicationSecret: createAuthEndpoint(
			"/tenant/application/rotate-secret",
			{
				method: "POST",
				body: z.object({ tenantId, clientId }),
				metadata: describe("Give an application a new secret; the old one stops", withSecret),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:rotate-secret");
				const { clientId } = ctx.body;
				const { row, secret } = await tenant.change(
					async () => {
						const found = await requireClient(ctx.context, clientId);
						const { type } = toApplication(found, tenant.tenantId);
						if (!hasSecret(type)) throw refused(`An application of type ${type} has no secret`);
						return rotateSecret(ctx.context, clientId);
					},
					() => ({ targetId: clientId }),
				);
				return ctx.json({ ...toApplication(row, tenant.tenantId), clientSecret: secret });
			},
		),
		deleteTenantApplication: createAuthEndpoint(
			"/tenant/application/delete",
			{
				method: "POST",
				body: z.object({ tenantId, clientId }),
				metadata: describe("Delete an application with its tokens and consents", success),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "application:delete");
				const { clientId } = ctx.body;
				await tenant.change(
					async () => {
						await requireClient(ctx.context, clientId);
						await deleteClient(ctx.context, clientId);
					},
					() => ({ targetId: clientId }),
				);
				return ctx.json({ success: true as const });
			},
		),
	};
}

/** @throws APIError `INVALID_APPLICATION` if the settings do not fit the type */
function requireUsable(
	type: ApplicationType,
	settings: ApplicationSettings,
	possible: readonly string[],
): void {
	const { redirectUris, postLogoutRedirectUris, scopes, requirePkce } = settings;
	const unknown = scopes.find((scope) => !possible.includes(scope));
	if (unknown !== undefined) {
		throw refused(`An application of type ${type} cannot have the scope ${unknown}`);
	}
	if (type === "machine") {
		if (redirectUris.length > 0) throw refused("An application without users has no redirect URIs");
		return;
	}
	if (redirectUris.length === 0) throw refused("redirectUris must contain at least one URI");
	const isPage = [...redirectUris, ...postLogoutRedirectUris].every(isWebUri);
	if (type !== "native" && !isPage) {
		throw refused("Only native applications can have private schemes in their URIs");
	}
	if (!hasSecret(type) && !requirePkce) {
		throw refused("An application without a secret must use PKCE");
	}
}

const refused = (message: string) =>
	new APIError("BAD_REQUEST", { code: "INVALID_APPLICATION", message });

function describe(description: string, answer: z.ZodType) {
	return {
		openapi: {
			description,
			responses: {
				"200": {
					description: "Success",
					content: {
						"application/json": {
							schema: z.toJSONSchema(answer, { unrepresentable: "any" }) as object,
						},
					},
				},
			},
		},
	};
}
