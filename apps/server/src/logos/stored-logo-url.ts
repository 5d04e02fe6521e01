import type { BetterAuthPluginDBSchema } from "better-auth";
import type { BrandingField } from "better-auth-tenant/rules";
import type { ServiceConfig } from "../settings/service-config";

/** The first part of the path of every uploaded logo. */
export const LOGO_PATH = "/logos/";

/** The fields of a tenant's branding that can have the URL of an uploaded image. */
export const LOGO_FIELDS = [
	"logoUrl",
	"darkLogoUrl",
	"faviconUrl",
] as const satisfies readonly BrandingField[];

export type LogoField = (typeof LOGO_FIELDS)[number];

type Origins = Pick<ServiceConfig, "baseUrl" | "otherOrigins">;

/**
 * The database has the path of an uploaded logo, so that it stays valid if the URL of the service changes.
 * Everybody who reads a tenant gets the whole URL: pages, emails and responses cannot use a path.
 */
export const logoUrlSchema = ({ baseUrl, otherOrigins }: Origins) =>
	({
		tenant: {
			fields: {
				metadata: {
					type: "string",
					required: false,
					transform: {
						input: (metadata) =>
							withLogoUrls(metadata, (url) => {
								const origin = [baseUrl, ...otherOrigins].find((own) =>
									url.startsWith(`${own}${LOGO_PATH}`),
								);
								return origin === undefined ? url : url.slice(origin.length);
							}),
						output: (metadata) =>
							withLogoUrls(metadata, (url) =>
								url.startsWith(LOGO_PATH) ? `${baseUrl}${url}` : url,
							),
					},
				},
			},
		},
	}) as const satisfies BetterAuthPluginDBSchema;

/** @param metadata of a tenant, as the JSON that is stored */
function withLogoUrls<T>(metadata: T, change: (url: string) => string): T | string {
	// Most tenants have none, and every request reads a tenant.
	if (typeof metadata !== "string" || !metadata.includes(LOGO_PATH)) return metadata;
	const parsed = JSON.parse(metadata) as { branding?: object };
	const changed = logoUrlsIn(metadata).map(([field, url]) => [field, change(url)]);
	if (changed.length === 0) return metadata;
	const branding = { ...parsed.branding, ...Object.fromEntries(changed) };
	return JSON.stringify({ ...parsed, branding });
}

/** @param metadata of a tenant, as the JSON that is stored */
export function logoUrlsIn(metadata: string | null): [LogoField, string][] {
	const { branding }: { branding?: unknown } = Object(JSON.parse(metadata ?? "null"));
	const stored: Partial<Record<LogoField, unknown>> = Object(branding);
	return LOGO_FIELDS.flatMap((field) => {
		const url = stored[field];
		return typeof url === "string" ? [[field, url]] : [];
	});
}
