import * as z from "zod";
import { requireState } from "../../context/current-state";
import { requireOpen } from "../../context/gate";
import { findTenantRow } from "../../context/tenant";
import { requireSameHost } from "../../context/tenant-id";
import { listEffectiveProviders } from "../../oauth-clients/effective-providers";
import { brandingOf } from "../../rules";
import { idSchema, toTenant } from "../../tenants/tenant";
import { publicEndpoint } from "../define";

const tenantId = idSchema.meta({ description: "The tenant's id" });
const slug = idSchema.meta({ description: "The tenant's slug" });
const missing = z.undefined().optional();

const text = z.string();
const flag = z.boolean();

export const brandingAnswer = z.object({
	logoUrl: text.meta({ description: "An https URL" }).optional(),
	primaryColor: text.meta({ description: "#rrggbb" }).optional(),
	tagline: text.meta({ description: "One line of text" }).optional(),
	supportEmail: text.meta({ description: "Where users get help" }).optional(),
});

const answer = z.object({
	tenant: z.object({ id: text, name: text, slug: text }),
	branding: brandingAnswer,
	email: z.object({
		signIn: flag.meta({ description: "Whether users can sign in with a password" }),
		signUp: flag.meta({ description: "Whether users can sign up with a password" }),
		reset: flag.meta({ description: "Whether users can reset their password" }),
		verification: flag.meta({ description: "Whether a new user must verify the email first" }),
	}),
	password: z.object({ minLength: z.int(), maxLength: z.int() }),
	providers: z
		.array(text)
		.meta({ description: "The social providers that users can sign in with" }),
});

/** Public, because it is called before sign-in. It contains only what a sign-in page shows. */
export const tenantLoginOptions = publicEndpoint(
	"tenantLoginOptions",
	{
		description: "What a tenant's sign-in page shows: name, branding, and how to sign in",
		query: z.union([z.object({ tenantId, slug: missing }), z.object({ slug, tenantId: missing })], {
			error: "Exactly one of tenantId and slug is required",
		}),
		answer,
		errors: ["TENANT_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		const { query } = ctx;
		const row =
			query.slug !== undefined
				? await findTenantRow(ctx.context, "slug", query.slug)
				: await requireState(ctx.context).readTenant(query.tenantId);
		const { id, name, metadata, slug } = toTenant(requireOpen(row).tenant);
		await requireSameHost(ctx, options, id);
		const { enabled, disableSignUp, sendResetPassword, requireEmailVerification } =
			ctx.context.options.emailAndPassword ?? {};
		const { minPasswordLength, maxPasswordLength } = ctx.context.password.config;
		const providers = await listEffectiveProviders(ctx.context, id);
		return ctx.json({
			tenant: { id, name, slug },
			branding: brandingOf(metadata),
			email: {
				signIn: enabled === true,
				signUp: enabled === true && disableSignUp !== true,
				reset: enabled === true && sendResetPassword !== undefined,
				verification: requireEmailVerification === true,
			},
			password: { minLength: minPasswordLength, maxLength: maxPasswordLength },
			providers: providers
				.filter(({ source }) => source !== "none")
				.map(({ providerId }) => providerId),
		});
	},
);
