import type { GenericEndpointContext } from "@better-auth/core";
import { appendQueryParams } from "@better-auth/core/utils/url";
import { createAuthEndpoint, isAPIError } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import * as z from "zod";
import { requireInstance, requireState, runInScope } from "../../../call/context/current-state";
import { VERIFICATIONS } from "../../../call/context/endpoint-rules";
import { resetAndEnter } from "../../../call/context/gate";
import { PLATFORM, tenantIdIn } from "../../../call/context/tenant";
import { findNamedTenantId } from "../../../call/context/tenant-id";
import { date, text } from "../../../described";
import { requireApp } from "../../../management/access/authorize";
import { requireUser } from "../../../management/access/reachable-user";
import { isActiveOwner } from "../../../management/access/roles";
import { audited } from "../../../management/audit/audit-store";
import { idSchema, namedTenantSchema } from "../../../management/tenants/tenant";
import {
	consumeSignInLink,
	type SignInLink,
	signInOwner,
	storeSignInLink,
} from "../../../management/users/sign-in-link";
import { tenantError } from "../../../tenant-error";
import { managedTenantEndpoint } from "../define";

const PATH = "/tenant/sign-in-link";
const MINUTE = 60;

/** A URL to which a link leads. Better Auth checks whether it is trusted. */
export const callbackSchema = z.string().min(1).max(2048);

export const createTenantSignInLink = managedTenantEndpoint(
	"createTenantSignInLink",
	{
		description:
			"Create a link that signs in an owner of a tenant once, whatever the tenant's policy says; only for your app",
		body: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "An owner of the tenant" }),
			reason: z
				.string()
				.trim()
				.min(1)
				.max(500)
				.meta({ description: "Why it is needed; for the audit log" }),
			expiresIn: z
				.int()
				.min(MINUTE)
				.max(60 * MINUTE)
				.meta({ description: "Seconds until it expires; default 10 minutes, at most an hour" })
				.optional(),
			callbackURL: callbackSchema
				.meta({ description: "Where to go after the sign-in; default /" })
				.optional(),
		}),
		response: z.object({
			url: text("The link. It works once"),
			expiresAt: date("When it expires"),
		}),
		errors: ["USER_NOT_FOUND", "SIGN_IN_LINK_NOT_ALLOWED"],
	},
	async (ctx, tenant) => {
		// A tenant's admin could otherwise become its owner.
		requireApp("create sign-in links");
		const { userId, reason, expiresIn = 10 * MINUTE, callbackURL = "/" } = ctx.body;
		const user = await requireUser(ctx, tenant, userId);
		// Only an owner can be let in past the policy: they can change it.
		if (!isActiveOwner(user)) throw tenantError("SIGN_IN_LINK_NOT_ALLOWED");
		const expiresAt = new Date(Date.now() + expiresIn * 1000);
		const token = await audited(
			ctx,
			() =>
				runInScope(requireInstance(ctx.context), tenant, () =>
					storeSignInLink(ctx, { userId: user.id, callbackURL }, expiresAt),
				),
			() => ({
				action: "user:sign-in-link",
				...tenant,
				targetId: user.id,
				detail: { reason, expiresAt },
			}),
		);
		return ctx.json({ url: `${ctx.context.baseURL}${PATH}?token=${token}`, expiresAt });
	},
);

/** As a magic link of Better Auth: it is opened in a browser, so every response is a redirect. */
export const openTenantSignInLink = createAuthEndpoint(
	PATH,
	{
		method: "GET",
		query: z.record(z.string(), z.unknown()).optional(),
		metadata: {
			// In `auth.api`, but not in the client.
			scope: "server",
			openapi: {
				operationId: "openTenantSignInLink",
				description: "Sign in with a link of createTenantSignInLink; responds with a redirect",
				parameters: [{ name: "token", in: "query", required: true, schema: { type: "string" } }],
				responses: {
					"302": {
						description:
							"To the callbackURL of the link; after an error to the error page, with `error`",
					},
				},
			},
		},
	},
	async (ctx) => {
		const link = await openLink(ctx).catch((error: unknown) => {
			// The tenant was suspended or deleted, or the host belongs to another one.
			if (isAPIError(error)) return fail(ctx, error.body?.code);
			throw error;
		});
		const { context } = ctx;
		const user = link && (await context.internalAdapter.findUserById(link.userId));
		const tenantId = tenantIdIn(requireState(context).scope ?? PLATFORM);
		// A former owner must not get in by an earlier link.
		if (!link || !user || !tenantId || !isActiveOwner(user)) return fail(ctx);
		await setSessionCookie(ctx, await signInOwner(ctx, user, tenantId));
		throw ctx.redirect(targetOf(ctx, link));
	},
);

async function openLink(ctx: GenericEndpointContext): Promise<SignInLink | null> {
	const named = await findNamedTenantId(ctx, requireInstance(ctx.context).options);
	if (named) await resetAndEnter(ctx, named);
	else requireState(ctx.context).awaitToken("row", VERIFICATIONS, { tenantOnly: true });
	const token: unknown = ctx.query?.token;
	return typeof token === "string" ? consumeSignInLink(ctx, token) : null;
}

/** Checked again: the trusted origins may have changed, and the host may be another one. */
function targetOf({ context }: GenericEndpointContext, { callbackURL }: SignInLink): string {
	const isTrusted = context.isTrustedOrigin(callbackURL, { allowRelativePaths: true });
	return new URL(isTrusted ? callbackURL : "/", context.baseURL).href;
}

function fail(ctx: GenericEndpointContext, code = "SIGN_IN_LINK_INVALID"): never {
	const { options, baseURL } = ctx.context;
	const errorURL = options.onAPIError?.errorURL ?? `${baseURL}/error`;
	throw ctx.redirect(appendQueryParams(errorURL, new URLSearchParams({ error: code })));
}
