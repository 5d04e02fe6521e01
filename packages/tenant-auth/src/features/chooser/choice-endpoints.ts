import type { GenericEndpointContext } from "@better-auth/core";
import * as z from "zod";
import { flag, text } from "../../described";
import { idSchema } from "../../management/tenants/tenant";
import { tenantError } from "../../tenant-error";
import { endpointsOf } from "../endpoints/define";
import { isOfBrowser, keepPrivate } from "./browser";
import { findCandidates, MAX_CHOICES } from "./candidates";
import { chooserError } from "./chooser-error";
import { CHOOSER_ERRORS } from "./error-codes";
import { requireHome } from "./home";
import { findKept, type KeptChoice, takeKept } from "./kept-values";
import { CHOOSER_ROUTES } from "./routes";
import { leadToTenant } from "./tenant-flow";

const { publicEndpoint } = endpointsOf(CHOOSER_ROUTES, CHOOSER_ERRORS);

const tokenSchema = z
	.string()
	.max(128)
	.meta({ description: "The token of the chooser page's URL" });

const choice = z.object({
	id: text("Unique id"),
	name: text("Display name"),
	slug: text("Unique name for URLs"),
});

/** For a person who has signed in at the provider, in the same browser. Nobody else sees a tenant. */
export const listTenantChoices = publicEndpoint(
	"listTenantChoices",
	{
		description: "The tenants that the user can sign in to; at the app's chooser page",
		query: z.object({ token: tokenSchema }),
		response: z.object({
			email: text("The email of the user at the provider"),
			tenants: z.array(choice).meta({ description: `By name, at most ${MAX_CHOICES}` }),
			isComplete: flag("Whether there are no others; users of others sign in at the tenant's page"),
		}),
		errors: ["TENANT_CHOICE_NOT_FOUND", "TENANT_CHOOSER_NOT_HERE"],
	},
	async (ctx) => {
		keepPrivate(ctx);
		const found = await requireChoice(ctx, ctx.query.token);
		const { tenants, isComplete } = await findCandidates(ctx, found);
		return ctx.json({
			email: found.person.email,
			tenants: tenants.map(({ id, name, slug }) => ({ id, name, slug })),
			isComplete,
		});
	},
);

export const chooseTenant = publicEndpoint(
	"chooseTenant",
	{
		description: "Go on to a tenant of the list, where the sign-in ends; works once",
		body: z.object({
			token: tokenSchema,
			tenantId: idSchema.meta({ description: "The tenant's id" }),
		}),
		response: z.object({
			url: text("Where the sign-in goes on"),
			redirect: z.literal(true).meta({ description: "The client goes to url" }),
		}),
		errors: ["TENANT_CHOICE_NOT_FOUND", "TENANT_CHOOSER_NOT_HERE", "TENANT_NOT_FOUND"],
	},
	async (ctx) => {
		keepPrivate(ctx);
		const { token, tenantId } = ctx.body;
		const found = await requireChoice(ctx, token);
		// Checked again: the tenant may have been suspended, or got a client of its own. What is no candidate
		// is the same as what does not exist, and the user can choose another one.
		const [tenant] = (await findCandidates(ctx, found, tenantId)).tenants;
		if (!tenant) throw tenantError("TENANT_NOT_FOUND");
		if (!(await takeKept(ctx, "choice", token))) throw chooserError("TENANT_CHOICE_NOT_FOUND");
		return ctx.json({ url: await leadToTenant(ctx, found, tenant), redirect: true as const });
	},
);

async function requireChoice(ctx: GenericEndpointContext, token: string): Promise<KeptChoice> {
	await requireHome(ctx);
	// A token that somebody else has seen, for example in a log, says nothing about tenants.
	const found = (await isOfBrowser(ctx, token)) ? await findKept(ctx, "choice", token) : null;
	if (!found) throw chooserError("TENANT_CHOICE_NOT_FOUND");
	return found;
}
