import * as z from "zod";
import { requireNamedTenantId } from "../../call/context/tenant-id";
import { date, flag, text } from "../../described";
import { requireOwner } from "../../management/access/acting-member";
import { audited } from "../../management/audit/audit-store";
import { namedTenantSchema } from "../../management/tenants/tenant";
import { endpointsOf, successResponse } from "../endpoints/define";
import { SIGNED_IN_ERRORS } from "../endpoints/signed-in";
import { finishLink, startLink } from "./add-link";
import { endLinks } from "./end-links";
import { LINK_ERRORS } from "./error-codes";
import { findKeyring } from "./keyring";
import { linkedUserSchema, listLinkedUsers } from "./linked-users";
import { requireAllowed, requireProven } from "./proven-session";
import { LINK_ROUTES } from "./routes";
import { allowLinks, allowsLinks } from "./store";
import { switchUser } from "./switch-user";

const { publicEndpoint, managedTenantEndpoint } = endpointsOf(LINK_ROUTES, LINK_ERRORS);

const named = z.object({ tenantId: namedTenantSchema });

const users = z
	.array(linkedUserSchema)
	.meta({ description: "The user and those to switch to; empty if there are none" });

export const startTenantLink = publicEndpoint(
	"startTenantLink",
	{
		description: "Start to link the signed-in user with a user of another tenant, in this browser",
		body: named.optional(),
		response: z.object({
			linkCode: text("What finishTenantLink takes; keep it in the page"),
			expiresAt: date("When the start expires"),
		}),
		errors: [...SIGNED_IN_ERRORS, "LINKS_NOT_ALLOWED"],
	},
	async (ctx, options) => {
		const own = await requireProven(ctx, options);
		await requireAllowed(ctx, own.tenant);
		return ctx.json(await startLink(ctx, own));
	},
);

export const finishTenantLink = publicEndpoint(
	"finishTenantLink",
	{
		description: "Link the user who has just signed in with the one who has started the link",
		body: named.extend({
			linkCode: z.string().min(1).max(128).meta({ description: "The code of startTenantLink" }),
		}),
		response: z.object({ users }),
		errors: [...SIGNED_IN_ERRORS, "LINKS_NOT_ALLOWED", "LINK_NOT_PROVEN"],
	},
	async (ctx, options) => {
		const own = await requireProven(ctx, options);
		await requireAllowed(ctx, own.tenant);
		const keyring = await finishLink(ctx, own, ctx.body.linkCode);
		return ctx.json({ users: await listLinkedUsers(ctx, keyring, own) });
	},
);

export const listTenantLinks = publicEndpoint(
	"listTenantLinks",
	{
		description: "The users in other tenants to whom the signed-in user may switch in this browser",
		query: named.optional(),
		response: z.object({ users }),
		errors: [...SIGNED_IN_ERRORS, "LINKS_NOT_ALLOWED"],
	},
	async (ctx, options) => {
		const own = await requireProven(ctx, options);
		return ctx.json({ users: await listLinkedUsers(ctx, await findKeyring(ctx), own) });
	},
);

export const switchTenantLink = publicEndpoint(
	"switchTenantLink",
	{
		description: "Switch to the linked user of a tenant, without a password",
		body: z.object({
			tenantId: namedTenantSchema.meta({ description: "The tenant to switch to" }),
		}),
		response: linkedUserSchema.pick({ tenant: true, user: true }),
		errors: ["TENANT_ID_REQUIRED", "LINK_NOT_FOUND"],
	},
	async (ctx, options) => {
		const { tenant, user } = await switchUser(ctx, await requireNamedTenantId(ctx, options));
		return ctx.json({
			tenant: { id: tenant.id, name: tenant.name, slug: tenant.slug },
			user: { name: user.name, email: user.email, image: user.image ?? null },
		});
	},
);

export const endTenantLinks = publicEndpoint(
	"endTenantLinks",
	{
		description: "End the links of the signed-in user, in all browsers",
		body: named.optional(),
		response: successResponse,
		errors: [...SIGNED_IN_ERRORS, "LINKS_NOT_ALLOWED"],
	},
	async (ctx, options) => {
		await endLinks(ctx, await requireProven(ctx, options));
		return ctx.json({ success: true as const });
	},
);

const settings = z.object({
	allowed: flag("Whether users may be linked with users of other tenants"),
});

export const getTenantLinkSettings = managedTenantEndpoint(
	"getTenantLinkSettings",
	{
		description: "Whether a tenant allows links to users of other tenants",
		query: named.optional(),
		response: settings,
	},
	async (ctx, { tenantId }) => ctx.json({ allowed: await allowsLinks(ctx.context, tenantId) }),
);

export const updateTenantLinkSettings = managedTenantEndpoint(
	"updateTenantLinkSettings",
	{
		description: "Allow links to users of other tenants, or forbid them and end those that exist",
		body: settings.extend(named.shape),
		response: settings,
		errors: ["ROLE_NOT_ALLOWED"],
	},
	async (ctx, { tenantId }) => {
		// It decides how an owner gets in.
		requireOwner("Only an owner can allow or forbid links to users of other tenants");
		const { allowed } = ctx.body;
		await audited(
			ctx,
			() => allowLinks(ctx.context, tenantId, allowed),
			() => ({ action: "link-settings:update", tenantId, detail: { allowed } }),
		);
		return ctx.json({ allowed });
	},
);
