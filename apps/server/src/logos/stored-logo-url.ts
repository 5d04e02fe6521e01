import type { BetterAuthPluginDBSchema } from "better-auth";
import type { ServiceConfig } from "../settings/service-config";

/** The first part of the path of every uploaded logo. */
export const LOGO_PATH = "/logos/";

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
							withLogoUrl(metadata, (url) => {
								const origin = [baseUrl, ...otherOrigins].find((own) =>
									url.startsWith(`${own}${LOGO_PATH}`),
								);
								return origin === undefined ? url : url.slice(origin.length);
							}),
						output: (metadata) =>
							withLogoUrl(metadata, (url) =>
								url.startsWith(LOGO_PATH) ? `${baseUrl}${url}` : url,
							),
					},
				},
			},
		},
	}) as const satisfies BetterAuthPluginDBSchema;

/** @param metadata of a tenant, as the JSON that is stored */
function withLogoUrl<T>(metadata: T, change: (url: string) => string): T | string {
	// Most tenants have none, and every request reads a tenant.
	if (typeof metadata !== "string" || !metadata.includes(LOGO_PATH)) return metadata;
	const parsed = JSON.parse(metadata) as { branding?: { logoUrl?: unknown } };
	const { branding } = parsed;
	if (typeof branding?.logoUrl !== "string") return metadata;
	const logoUrl = change(branding.logoUrl);
	return JSON.stringify({ ...parsed, branding: { ...branding, logoUrl } });
}
