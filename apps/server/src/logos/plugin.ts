import type { AuthContext, BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, createAuthMiddleware } from "better-auth/api";
import { manageTenant, runInTenant, updateTenantBranding } from "better-auth-tenant";
import { findBrandingProblem } from "better-auth-tenant/rules";
import * as z from "zod";
import { tenantId } from "../endpoint-description";
import type { ServiceConfig } from "../settings/service-config";
import { inspectImage, type LogoImage } from "./logo-image";
import { deleteUnusedLogos, fileNameOf, logosSchema, storeLogo } from "./logo-store";
import { LOGO_FIELDS, LOGO_PATH, type LogoField, logoUrlSchema } from "./stored-logo-url";

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
						tenantId,
						image: z.string().meta({ description: "A PNG, JPEG or WebP image in Base64" }),
						field: z
							.enum(LOGO_FIELDS)
							.default("logoUrl")
							.meta({ description: "The field of the branding that gets the URL of the image" }),
					}),
					metadata: {
						openapi: {
							description: "Store an image and make it the tenant's logo, dark logo or icon",
						},
					},
				},
				async (ctx) => {
					const tenant = await manageTenant(ctx, "tenant:update");
					const { field } = ctx.body;
					const bytes = requireBytes(ctx.body.image);
					const { kind } = requireUsableImage(bytes);
					const url = logoUrlOf(tenant.tenantId, fileNameOf(bytes, kind));
					// Otherwise every page would ignore it.
					if (findBrandingProblem(field, url)) throw refusal("LOGO_NEEDS_HTTPS");
					const changes: Partial<Record<LogoField, string>> = { [field]: url };
					await tenant.change(
						async () => {
							await updateTenantBranding(ctx, tenant.tenantId, changes);
							await storeLogo(ctx.context, bytes, kind);
							await deleteUnusedLogos(ctx.context, tenant.tenantId);
						},
						() => ({ detail: { [DETAILS[field]]: url } }),
					);
					return ctx.json(changes);
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
						if (typeof id === "string") await dropUnusedLogos(context, id);
					}),
				},
			],
		},
	} satisfies BetterAuthPlugin;
}

/** The names in an audit event. */
const DETAILS: Record<LogoField, string> = {
	logoUrl: "logo",
	darkLogoUrl: "darkLogo",
	faviconUrl: "favicon",
};

type ErrorCode = keyof typeof ERRORS;

const ERRORS = {
	INVALID_LOGO: ["BAD_REQUEST", "The image is not a PNG, JPEG or WebP image in Base64"],
	LOGO_TOO_LARGE: [
		"BAD_REQUEST",
		`The image has at most ${MAX_KILOBYTES} KB, and at most ${MAX_PIXELS} pixels on each side`,
	],
	LOGO_NEEDS_HTTPS: [
		"CONFLICT",
		"Pages and emails show images only over https. Set BETTER_AUTH_URL to an https URL",
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

/** Deletes images that the tenant does not use any more. One that remains does no harm. */
async function dropUnusedLogos(context: AuthContext, tenantId: string): Promise<void> {
	const auth = { $context: Promise.resolve(context) };
	const drop = () => deleteUnusedLogos(context, tenantId);
	await runInTenant(auth, tenantId, drop, { allowSuspended: true }).catch((error: unknown) =>
		context.logger.error("an unused logo could not be deleted", error),
	);
}
