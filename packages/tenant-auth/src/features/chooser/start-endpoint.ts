import { additionalAuthorizationParamsSchema } from "@better-auth/core/oauth2";
import { generateRandomString } from "better-auth/crypto";
import { generateIdTokenNonce } from "better-auth/oauth2";
import * as z from "zod";
import { flag, text } from "../../described";
import { tenantError } from "../../tenant-error";
import { endpointsOf } from "../endpoints/define";
import { clientOf, findAppProvider, redirectUriAt } from "./app-provider";
import { bindToBrowser, keepPrivate } from "./browser";
import { CHOOSER_ERRORS } from "./error-codes";
import { requireHome } from "./home";
import { keep } from "./kept-values";
import { CHOOSER_ROUTES } from "./routes";

const { publicEndpoint } = endpointsOf(CHOOSER_ROUTES, CHOOSER_ERRORS);

/** Stored while the user is away, so its length is limited. */
const url = z.string().min(1).max(2048);

export const startTenantChooser = publicEndpoint(
	"startTenantChooser",
	{
		description:
			"Start a social sign-in with a provider of the app, where the tenant is found after the provider has responded",
		body: z.object({
			provider: z.string().max(128).meta({ description: "The provider's id" }),
			callbackURL: url
				.meta({ description: "Where to go after success; a path leads to the tenant's host" })
				.optional(),
			errorCallbackURL: url.meta({ description: "Where to go on an error" }).optional(),
			newUserCallbackURL: url.meta({ description: "Where a new user goes" }).optional(),
			disableRedirect: flag("Return the URL without a redirect").optional(),
			scopes: z
				.array(z.string().max(255))
				.max(100)
				.meta({ description: "Additional scopes to request" })
				.optional(),
			loginHint: z
				.string()
				.max(255)
				.meta({ description: "The user's email or name, for the provider" })
				.optional(),
			requestSignUp: flag("Sign up where implicit sign-up is disabled").optional(),
			additionalParams: additionalAuthorizationParamsSchema,
		}),
		response: z.object({
			url: text("The provider's sign-in page"),
			redirect: flag("Whether the client goes to url"),
		}),
		errors: ["PROVIDER_NOT_FOUND", "TENANT_CHOOSER_NOT_HERE"],
	},
	async (ctx) => {
		const home = await requireHome(ctx);
		keepPrivate(ctx);
		const { provider: providerId, scopes, loginHint, additionalParams, ...rest } = ctx.body;
		const { disableRedirect = false, errorCallbackURL, ...request } = rest;
		const provider = await findAppProvider(ctx, providerId);
		if (!provider) throw tenantError("PROVIDER_NOT_FOUND");
		const codeVerifier = generateRandomString(128);
		const nonce = generateIdTokenNonce(provider);
		const state = await keep(ctx, "flow", {
			...{ home, providerId, codeVerifier, nonce },
			client: await clientOf(provider),
			request: {
				...request,
				// The tenant's host may have no page to sign in at without a tenant.
				...(errorCallbackURL ? { errorCallbackURL: new URL(errorCallbackURL, home).href } : {}),
			},
		});
		await bindToBrowser(ctx, state);
		const target = await provider.createAuthorizationURL({
			...{ state, codeVerifier, scopes, loginHint, additionalParams },
			...(nonce === undefined ? {} : { idTokenNonce: nonce }),
			redirectURI: redirectUriAt(home, providerId),
		});
		const { href } = new URL(target);
		if (!disableRedirect) ctx.setHeader("Location", href);
		return ctx.json({ url: href, redirect: !disableRedirect });
	},
);
