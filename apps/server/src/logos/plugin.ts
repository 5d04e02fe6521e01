import type { AuthContext, BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { manageTenant, runInTenant, updateTenantBranding } from "better-auth-tenant";
import { findBrandingProblem } from "better-auth-tenant/rules";
import * as z from "zod";
import type { ServiceConfig } from "../settings/service-config";
import { inspectImage, type LogoImage } from "./logo-image";
import { deleteUnusedLogo, fileNameOf, logosSchema, replaceLogo } from "./logo-store";
import { LOGO_PATH, logoUrlSchema } from "./stored-logo-url";

const MAX_KILOBYTES = 256;
/** Per side. More is never shown, and an image of few bytes can have very many pixels. */
const MAX_PIXELS = 2048;

/** Logos that are uploaded to the service. Their public URLs are at {@link LOGO_ROUTE}. */
export function logos(config: Pick<ServiceConfig, "baseUrl" | "otherOrigins">) {
	const logoUrlOf = (tenantId: string, fileName: string) =>
		`${config.baseUrl}${LOGO_PATH}${encodeURIComponent(tenantId)}/${fileName}`;
	return {
		id: "tenant-auth-logos",
		schema: { ...logosSchema, ...logoUrlSchema(config) },
		endpoints: {
			uploadTenantLogo: createAuthEndpoint(
				"/tenant/logo/upload",
				{
					method: "POST",
					body: z.strictObject({
						tenantId: z
							.string()
							.optional()
							.meta({ description: "The tenant; not needed if the host or the header names it" }),
						image: z.string().meta({ description: "A PNG, JPEG or WebP image in Base64" }),
					}),
					metadata: {
						openapi: { description: "Store an image and make it the tenant's logo" },
					},
				},
				async (ctx) => {
					const tenant = await manageTenant(ctx, "tenant:update");
					const bytes = requireBytes(ctx.body.image);
					const { kind } = requireUsableImage(bytes);
					const logoUrl = logoUrlOf(tenant.tenantId, fileNameOf(bytes, kind));
					// Otherwise every page would ignore it.
					if (findBrandingProblem("logoUrl", logoUrl)) throw refusal("LOGO_NEEDS_HTTPS");
					await tenant.change(
						async () => {
							await updateTenantBranding(ctx, tenant.tenantId, { logoUrl });
							await replaceLogo(ctx.context, bytes, kind);
						},
						() => ({ detail: { logo: logoUrl } }),
					);
					return ctx.json({ logoUrl });
				},
			),
		},
		hooks: {
			after: [
				{
					matcher: ({ path, body }) =>
						path === "/tenant/update" && Object(body).metadata !== undefined,
					handler: createAuthMiddleware(async ({ context }) => {
						const { id }: { id?: unknown } = Object(context.returned);
						if (typeof id === "string") await dropUnusedLogo(context, id);
					}),
				},
			],
		},
	} satisfies BetterAuthPlugin;
}

type ErrorCode = keyof typeof ERRORS;

const ERRORS = {
	INVALID_LOGO: ["BAD_REQUEST", "A logo is a PNG, JPEG or WebP image in Base64"],
	LOGO_TOO_LARGE: [
		"BAD_REQUEST",
		`A logo has at most ${MAX_KILOBYTES} KB, and at most ${MAX_PIXELS} pixels on each side`,
	],
	LOGO_NEEDS_HTTPS: [
		"CONFLICT",
		"Pages and emails show a logo only over https. Set BETTER_AUTH_URL to an https URL",
	],
} as const;

function refusal(code: ErrorCode): APIError {
	const [status, message] = ERRORS[code];
	return new APIError(status, { code, message });
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

function requireBytes(base64: string): Buffer {
	if (base64.length > Math.ceil((MAX_KILOBYTES * 1024) / 3) * 4) throw refusal("LOGO_TOO_LARGE");
	if (!BASE64.test(base64)) throw refusal("INVALID_LOGO");
	return Buffer.from(base64, "base64");
}

function requireUsableImage(bytes: Buffer): LogoImage {
	const image = inspectImage(bytes);
	if (!image) throw refusal("INVALID_LOGO");
	if (Math.max(image.width, image.height) > MAX_PIXELS) throw refusal("LOGO_TOO_LARGE");
	return image;
}

/** Deletes a logo that the tenant does not use any more. A logo that remains does no harm. */
async function dropUnusedLogo(context: AuthContext, tenantId: string): Promise<void> {
	const auth = { $context: Promise.resolve(context) };
	const drop = () => deleteUnusedLogo(context, tenantId);
	await runInTenant(auth, tenantId, drop, { allowSuspended: true }).catch((error: unknown) =>
		context.logger.error("an unused logo could not be deleted", error),
	);
}
