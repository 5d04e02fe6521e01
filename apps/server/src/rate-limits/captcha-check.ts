import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { captcha } from "better-auth/plugins";
import { getCurrentTenantId } from "better-auth-tenant";
import { currentRequest } from "../monitoring/request-record";
import type { Captcha, CaptchaProvider } from "../settings/captcha";

type HookContext = Parameters<Parameters<typeof createAuthMiddleware>[0]>[0];

/**
 * What a bot calls without an account: to guess passwords, to create accounts, and to send emails to
 * addresses that it chooses. The paths are those of Better Auth; `/tenant/…` runs the same endpoints.
 */
export const CAPTCHA_PATHS = [
	"/sign-in/email",
	"/sign-up/email",
	"/request-password-reset",
	"/send-verification-email",
	"/sign-in/magic-link",
] as const;

const RESET = "/request-password-reset";
/** Runs {@link RESET} after it has checked that the caller may manage the user. */
const SEND_RESET = "/tenant/user/send-password-reset";

const PLUGIN_PROVIDERS = {
	turnstile: "cloudflare-turnstile",
	hcaptcha: "hcaptcha",
	recaptcha: "google-recaptcha",
} as const satisfies Record<CaptchaProvider, string>;

type Hook = ReturnType<typeof createAuthMiddleware>;

type CheckParts = {
	settings: Captcha;
	isManager: (headers: Headers) => boolean;
	/** Replaces the server of the provider. */
	verifyUrl?: string | undefined;
};

/**
 * Requires a solved captcha before the hook of the limits: who has not solved it must not use up the attempts
 * of an account. As a hook, and not for the URL of a request: here the endpoint and the tenant are known,
 * however the request was written, and requests over the limit of an IP address do not get here.
 *
 * Operators are users of no tenant, and are not asked: their console loads no script of others, and they have
 * a second factor. Server code, management keys and those who manage users are not asked either.
 */
export function withCaptcha(before: Hook, { settings, isManager, verifyUrl }: CheckParts): Hook {
	const { onRequest } = captcha({
		provider: PLUGIN_PROVIDERS[settings.provider],
		secretKey: settings.secretKey,
		siteKey: settings.siteKey,
		endpoints: [...CAPTCHA_PATHS],
		siteVerifyURLOverride: verifyUrl,
	});
	async function isRequired(ctx: HookContext): Promise<boolean> {
		const request = currentRequest();
		if (request && ctx.path === SEND_RESET) request.isManagedReset = true;
		if (!request || !CAPTCHA_PATHS.some((path) => path === ctx.path)) return false;
		if (ctx.path === RESET && request.isManagedReset) return false;
		if (isManager(new Headers(ctx.headers)) || (await getCurrentTenantId()) === null) return false;
		return !(await isMailToThemselves(ctx));
	}

	async function verify({ path, headers, context }: HookContext): Promise<void> {
		// The plugin looks at the path again. That of the request may be ours.
		const url = new URL(`${context.options.basePath ?? ""}${path}`, "http://localhost");
		const refused = await onRequest(new Request(url, { headers: new Headers(headers) }), context);
		if (refused) throw await errorOf(refused.response);
	}

	return createAuthMiddleware(async (ctx) => {
		if (await isRequired(ctx)) await verify(ctx);
		await before(ctx);
	});
}

const MAIL_PATHS: readonly string[] = [RESET, "/send-verification-email"];

/** On their account page, users can ask for an email to their own address. They have signed in before. */
async function isMailToThemselves(ctx: HookContext): Promise<boolean> {
	if (!MAIL_PATHS.includes(ctx.path)) return false;
	const session = await getSessionFromCtx(ctx, { disableRefresh: true });
	const email: unknown = ctx.body?.email;
	return typeof email === "string" && session?.user.email === email.toLowerCase();
}

/** The plugin has no other error than 500 for a provider that does not respond, or responds with an error. */
async function errorOf(response: Response): Promise<APIError> {
	if (response.status < 500) {
		return new APIError(response.status as 400 | 403, await response.json());
	}
	return new APIError("SERVICE_UNAVAILABLE", {
		code: "CAPTCHA_UNAVAILABLE",
		message: "The captcha could not be verified. Try again in a moment.",
	});
}
