import { isAPIError } from "better-auth/api";
import type { Auth } from "../../auth";
import { toOAuthError } from "./oauth-errors";

/** Both change rarely, but a tenant may be suspended, and a new key is used at once. */
const CACHE_CONTROL = "public, max-age=15";

const CLIENT_AUTHENTICATION = ["client_secret_basic", "client_secret_post", "private_key_jwt"];

/** What ID tokens and the user info have. Applications may have claims of their own beside them. */
const CLAIMS = [
	...["iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "at_hash", "sid"],
	...["name", "given_name", "family_name", "picture", "email", "email_verified"],
	...["tenant_id", "roles", "permissions"],
];

/**
 * The discovery document of a tenant: what Better Auth's plugin says about itself, without what applications
 * of this service cannot use.
 */
export async function discoveryDocument(
	auth: Auth,
	request: Request,
	{ tenantId, hasDpop }: { tenantId: string; hasDpop: boolean },
): Promise<Response> {
	if (request.method !== "GET" && request.method !== "HEAD") {
		return new Response(null, { status: 405, headers: { allow: "GET, HEAD" } });
	}
	const headers = new Headers({ host: new URL(request.url).host, "x-tenant-id": tenantId });
	try {
		const document = await auth.api.getOpenIdConfig({ headers });
		const { dpop_signing_alg_values_supported: algorithms } = document;
		const dpop = hasDpop ? { dpop_signing_alg_values_supported: algorithms } : {};
		return Response.json(
			{ ...withoutUnused(document), ...dpop },
			{ headers: { "cache-control": CACHE_CONTROL } },
		);
	} catch (error) {
		if (!isAPIError(error)) throw error;
		const refusal = Response.json(error.body ?? {}, { status: error.statusCode });
		return toOAuthError(refusal);
	}
}

/** The keys of a tenant. Some libraries only take keys that say what they are for. */
export async function asKeySet(response: Response): Promise<Response> {
	if (response.status !== 200) return response;
	const { keys } = (await response.json()) as { keys: object[] };
	const headers = new Headers(response.headers);
	headers.delete("content-length");
	headers.set("cache-control", CACHE_CONTROL);
	return Response.json({ keys: keys.map((key) => ({ ...key, use: "sig" })) }, { headers });
}

function withoutUnused(document: Record<string, unknown>): Record<string, unknown> {
	const { dpop_signing_alg_values_supported: _dpop, ...rest } = document;
	return {
		...rest,
		// The plugin honors `claims.userinfo`, but not `claims.id_token`.
		claims_parameter_supported: false,
		claims_supported: CLAIMS,
		token_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, "none"],
		introspection_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
		revocation_endpoint_auth_methods_supported: [...CLIENT_AUTHENTICATION, "none"],
	};
}
