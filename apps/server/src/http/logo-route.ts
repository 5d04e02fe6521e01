import { BetterAuthError } from "better-auth";
import { runInTenant } from "better-auth-tenant";
import type { Handler } from "hono";
import type { Auth } from "../auth";
import { contentTypeOf } from "../logos/logo-image";
import { findLogo } from "../logos/logo-store";

export const LOGO_ROUTE = "/logos/:tenantId/:fileName";

/** Some databases reject control characters with an error. */
const POSSIBLE_ID = /^[\x21-\x7e]{1,255}$/;
const FILE_NAME = /^[\da-f]{32}\.[a-z]{3,4}$/;

/** The URL changes with the image. Pages on hosts of tenants, apps and emails show it. */
const headers = {
	"cache-control": "public, max-age=31536000, immutable",
	"x-content-type-options": "nosniff",
	"cross-origin-resource-policy": "cross-origin",
	// It is an image and nothing else, also for somebody who opens its URL.
	"content-security-policy": "default-src 'none'; sandbox",
};

/** Serves the uploaded logos. They are public, as the rest of a tenant's branding. */
export function logoRoute(auth: Auth): Handler<object, typeof LOGO_ROUTE> {
	return async (c) => {
		const { tenantId, fileName } = c.req.param();
		if (!POSSIBLE_ID.test(tenantId) || !FILE_NAME.test(fileName)) return c.notFound();
		const { adapter } = await auth.$context;
		const find = () => findLogo(adapter, fileName);
		const logo = await runInTenant(auth, tenantId, find, { allowSuspended: true }).catch(
			(error: unknown) => {
				// There is no such tenant.
				if (error instanceof BetterAuthError) return null;
				throw error;
			},
		);
		if (!logo) return c.notFound();
		return c.body(new Uint8Array(logo.bytes), 200, {
			...headers,
			"content-type": contentTypeOf(logo.kind),
		});
	};
}
