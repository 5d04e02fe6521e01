import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import * as z from "zod";
import { requireState } from "../../../call/context/current-state";
import { requireOpen } from "../../../call/context/gate";
import { findSignInProblem } from "../../../call/context/policy-check";
import { findTenantRow, type TenantRow } from "../../../call/context/tenant";
import { admitsAppProviders } from "../../../call/context/tenant-hosts";
import { requireNamedTenantId, requireSameHost } from "../../../call/context/tenant-id";
import { pluginOf } from "../../../call/foreign";
import { SIGN_IN_METHODS, type SignInMethod } from "../../../call/foreign/sign-in-methods";
import { policyIn, type TenantPolicy } from "../../../call/policy/tenant-policy";
import { flag, text, texts } from "../../../described";
import {
	type EffectiveProvider,
	listEffectiveProviders,
} from "../../../management/oauth-clients/effective-providers";
import { idSchema, toTenant } from "../../../management/tenants/tenant";
import type { ResolvedOptions } from "../../../options";
import { brandingOf } from "../../../rules";
import { publicEndpoint } from "../define";

const tenantId = idSchema.meta({ description: "The tenant's id" });
const slug = idSchema.meta({ description: "The tenant's slug" });
const missing = z.undefined().optional();

export const brandingResponse = z.object({
	logoUrl: text("An https URL").optional(),
	darkLogoUrl: text("The logo on dark pages").optional(),
	faviconUrl: text("The icon of the browser tab").optional(),
	primaryColor: text("#rrggbb").optional(),
	tagline: text("One line of text").optional(),
	supportEmail: text("Where users get help").optional(),
	termsUrl: text("The terms of service").optional(),
	privacyUrl: text("The privacy policy").optional(),
});

const response = z.object({
	tenant: z.object({ id: z.string(), name: z.string(), slug: z.string() }),
	branding: brandingResponse,
	email: z.object({
		signIn: flag("Whether users can sign in with a password"),
		signUp: flag("Whether users can sign up with a password"),
		reset: flag("Whether users can reset their password"),
		verification: flag("Whether a new user must verify the email first"),
	}),
	password: z.object({ minLength: z.int(), maxLength: z.int() }),
	providers: texts("The providers that users can sign in with"),
	providerNames: z
		.record(z.string(), z.string())
		.meta({ description: "By id, the names of those that the tenant registered by their issuer" })
		.optional(),
	methods: z
		.array(z.enum(SIGN_IN_METHODS))
		.meta({ description: "All ways to sign in that the app has and the tenant allows" }),
	signUp: z
		.enum(["open", "invite", "closed"])
		.meta({ description: "Who may sign up: everybody, people with an invitation, or nobody" }),
	secondFactorRequired: flag("Whether users need a second factor"),
});

/** Public, because it is called before sign-in. It contains only what a sign-in page shows. */
export const tenantLoginOptions = publicEndpoint(
	"tenantLoginOptions",
	{
		description: "What a tenant's sign-in page shows: name, branding, and how to sign in",
		query: z
			.union(
				[
					z.object({ tenantId, slug: missing }),
					z.object({ slug, tenantId: missing }),
					z.object({ tenantId: missing, slug: missing }),
				],
				{ error: "tenantId and slug must be texts, and only one of them can be given" },
			)
			.optional(),
		response,
		errors: ["TENANT_ID_REQUIRED", "TENANT_NOT_FOUND", "TENANT_SUSPENDED"],
	},
	async (ctx, options) => {
		const { tenant } = requireOpen(await findRequestedTenant(ctx, options));
		const { id, name, metadata, slug } = toTenant(tenant);
		await requireSameHost(ctx, options, id);
		const { disableSignUp, sendResetPassword, requireEmailVerification } =
			ctx.context.options.emailAndPassword ?? {};
		const { minPasswordLength, maxPasswordLength } = ctx.context.password.config;
		const policy = policyIn(tenant);
		const hasAppProviders = admitsAppProviders(ctx.context, options.hosts);
		const allowed = (await listAllowedProviders(ctx.context, tenant)).filter(
			({ source }) => hasAppProviders || source === "tenant",
		);
		const named = allowed.flatMap(({ providerId, name }) =>
			name === undefined ? [] : [[providerId, name] as const],
		);
		const providers = allowed.map(({ providerId }) => providerId);
		const methods = findMethods(ctx.context, policy, providers);
		const hasPassword = methods.includes("password");
		return ctx.json({
			tenant: { id, name, slug },
			branding: brandingOf(metadata),
			email: {
				signIn: hasPassword,
				signUp: hasPassword && disableSignUp !== true && policy.signUp.mode === "open",
				reset: hasPassword && sendResetPassword !== undefined,
				verification: requireEmailVerification === true,
			},
			password: {
				minLength: Math.max(minPasswordLength, policy.password.minLength ?? 0),
				maxLength: maxPasswordLength,
			},
			providers,
			...(named.length > 0 ? { providerNames: Object.fromEntries(named) } : {}),
			methods,
			signUp: policy.signUp.mode,
			secondFactorRequired: policy.secondFactor.required,
		});
	},
);

/** A page at the host of a tenant need not know which tenant that is. */
async function findRequestedTenant(
	ctx: GenericEndpointContext,
	options: ResolvedOptions,
): Promise<TenantRow | null> {
	const { tenantId, slug }: { tenantId?: string; slug?: string } = ctx.query ?? {};
	if (slug !== undefined) return findTenantRow(ctx.context, "slug", slug);
	const id = tenantId ?? (await requireNamedTenantId(ctx, options));
	return requireState(ctx.context).readTenant(id);
}

async function listAllowedProviders(
	ctx: AuthContext,
	tenant: TenantRow,
): Promise<EffectiveProvider[]> {
	const policy = policyIn(tenant);
	return (await listEffectiveProviders(ctx, tenant)).filter(
		({ source, providerId }) =>
			source !== "none" && !findSignInProblem(policy, { source: "social", providerId }),
	);
}

/** What the app has and the policy allows. */
function findMethods(
	{ options }: AuthContext,
	policy: TenantPolicy,
	providers: string[],
): SignInMethod[] {
	const has = (method: SignInMethod): boolean => {
		if (method === "password") return options.emailAndPassword?.enabled === true;
		if (method === "social") return providers.length > 0;
		return options.plugins?.some(({ id }) => id === pluginOf(method)) === true;
	};
	const isAllowed = (method: SignInMethod) => policy.signIn.methods?.includes(method) !== false;
	return SIGN_IN_METHODS.filter((method) => has(method) && isAllowed(method));
}
