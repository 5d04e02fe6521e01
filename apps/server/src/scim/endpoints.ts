import { getCurrentAdapter } from "@better-auth/core/context";
import type { scim } from "@better-auth/scim";
import { APIError, createAuthEndpoint, isAPIError } from "better-auth/api";
import { manageAsDirectory, manageTenant } from "better-auth-tenant";
import * as z from "zod";
import { describe, tenantId } from "../endpoint-description";
import { groupRolesSchema, mappableRoles } from "../group-roles";
import { success } from "../openid-provider/applications/endpoint-schemas";
import { type Issuers, issuerOf } from "../openid-provider/issuer";
import type { ServiceConfig } from "../settings/service-config";
import {
	findGroupRoles,
	findGroupsWithRoles,
	requireGroupRolesId,
	saveGroupRoles,
} from "./group-role-store";
import { setRolesOfAll } from "./mapped-roles";
import { scimTokenSchema } from "./token";
import { MAX_TOKEN_DAYS, MAX_TOKENS } from "./token-limits";
import { tokenStore } from "./token-store";

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 365;

const withToken = scimTokenSchema.extend({
	token: z.string().meta({ description: "It is not shown again" }),
});

const connection = z.object({
	url: z.string().meta({ description: "The URL that the directory asks for" }),
	users: z.number().meta({ description: "How many users the directory has sent" }),
	groups: z.number().meta({ description: "How many groups the directory has sent" }),
	roles: z
		.record(z.string(), z.string())
		.meta({ description: "The tenant role for each group, the strongest first" }),
	unknownGroups: z
		.array(z.string())
		.meta({ description: "Groups with a role that the directory has not sent" }),
	tokens: z.array(scimTokenSchema).meta({ description: "Its tokens, newest first" }),
});

/** The endpoints that manage the SCIM connection of a tenant. */
export function scimEndpoints(plugin: ReturnType<typeof scim>, config: ServiceConfig) {
	type Context = Parameters<typeof manageTenant>[0];

	const describeConnection = (
		ctx: Context,
		tenant: Awaited<ReturnType<typeof manageTenant>>,
	): Promise<z.output<typeof connection>> =>
		tenant.read(async () => {
			const store = tokenStore(ctx, plugin);
			const database = await getCurrentAdapter(ctx.context.adapter);
			const roles = await findGroupRoles(database, tenant.tenantId);
			const sent = (await findGroupsWithRoles(database, roles)).map((group) => group.displayName);
			return {
				url: scimUrlOf(config, tenant.slug),
				...(await store.count()),
				roles,
				unknownGroups: Object.keys(roles).filter((group) => !sent.includes(group)),
				tokens: await store.list(),
			};
		});

	return {
		getTenantScim: createAuthEndpoint(
			"/tenant/scim/get",
			{
				method: "GET",
				query: z.object({ tenantId }).optional(),
				metadata: describe("Get the SCIM connection of a tenant, with its tokens", connection),
			},
			async (ctx) => ctx.json(await describeConnection(ctx, await manageTenant(ctx, "scim:get"))),
		),
		createTenantScimToken: createAuthEndpoint(
			"/tenant/scim/create-token",
			{
				method: "POST",
				body: z.strictObject({
					tenantId,
					name: z.string().trim().min(1).max(100).meta({ description: "A name for people" }),
					expiresInDays: z
						.int()
						.min(1)
						.max(MAX_TOKEN_DAYS)
						.default(DEFAULT_DAYS)
						.meta({ description: "After how many days it expires" }),
				}),
				metadata: describe("Make a SCIM token; only this response has it", withToken),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "scim:create-token");
				const { name, expiresInDays } = ctx.body;
				const store = tokenStore(ctx, plugin);
				const { kind, id } = tenant.actor;
				const member = kind === "member" && id ? await tenant.requireUser(id) : null;
				const given = {
					name,
					role: tenant.role ?? "owner",
					createdBy: member?.email ?? null,
					expiresAt: new Date(Date.now() + expiresInDays * DAY_MS),
				};
				const create = () =>
					tenant.change(
						async () => {
							if (!(await store.hasRoom())) throw tooManyTokens();
							return store.create(id ?? kind, given);
						},
						(made) => ({ targetId: made.id, detail: { name, expiresAt: made.expiresAt } }),
					);
				await tenant.read(() => requireGroupRolesId(ctx.context.adapter, tenant.tenantId));
				const had = await tenant.read(store.findConnectionId);
				const made = await create().catch(async (error: unknown) => {
					// Two admins may make the first token at the same time. The second one uses the connection.
					const isOvertaken =
						!had && !isAPIError(error) && (await tenant.read(store.findConnectionId));
					if (isOvertaken) return create();
					throw error;
				});
				return ctx.json(made);
			},
		),
		revokeTenantScimToken: createAuthEndpoint(
			"/tenant/scim/revoke-token",
			{
				method: "POST",
				body: z.strictObject({
					tenantId,
					id: z.string().max(255).meta({ description: "The token" }),
				}),
				metadata: describe("Revoke a SCIM token; its users stay", success),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "scim:revoke-token");
				const store = tokenStore(ctx, plugin);
				await tenant.change(
					async () => {
						const found = (await store.list()).find(({ id }) => id === ctx.body.id);
						if (!found) throw tokenNotFound();
						await store.revoke(tenant.actor.id ?? tenant.actor.kind, found.id);
						return found;
					},
					({ id, name }) => ({ targetId: id, detail: { name } }),
				);
				return ctx.json({ success: true as const });
			},
		),
		setTenantScimRoles: createAuthEndpoint(
			"/tenant/scim/set-roles",
			{
				method: "POST",
				body: z.strictObject({ tenantId, roles: groupRolesSchema(config.settings) }),
				metadata: describe(
					"Set the tenant roles of the directory's groups; users get them at once",
					connection,
				),
			},
			async (ctx) => {
				const tenant = await manageTenant(ctx, "scim:set-roles");
				// The directory decides who is in a group, and the roles outlive the one who set them.
				tenant.requireOwner("Only an owner can give roles to groups");
				const { roles } = ctx.body;
				const known = mappableRoles(config.settings);
				const users = () => manageAsDirectory(ctx, { actor: tenant.actor, role: "owner" });
				const id = await tenant.read(() =>
					requireGroupRolesId(ctx.context.adapter, tenant.tenantId),
				);
				await tenant.change(
					async () => {
						const database = await getCurrentAdapter(ctx.context.adapter);
						await saveGroupRoles(database, id, roles);
						await setRolesOfAll(database, { roles, known, users });
					},
					() => ({ detail: { roles } }),
				);
				return ctx.json(await describeConnection(ctx, tenant));
			},
		),
	};
}

/** Where a directory sends its requests. */
const scimUrlOf = (issuers: Issuers, slug: string) => `${issuerOf(issuers, slug)}/scim/v2`;

const tooManyTokens = () =>
	new APIError("CONFLICT", {
		code: "TOO_MANY_SCIM_TOKENS",
		message: `A tenant has at most ${MAX_TOKENS} SCIM tokens. Revoke one first`,
	});

const tokenNotFound = () =>
	new APIError("NOT_FOUND", { code: "SCIM_TOKEN_NOT_FOUND", message: "SCIM token not found" });
