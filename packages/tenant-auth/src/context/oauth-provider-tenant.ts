import type { GenericEndpointContext } from "@better-auth/core";
import { runAcrossTenants } from "./current-tenant";
import { enterTenantOfToken } from "./gate";
import { headersOf } from "./presented-sessions";
import type { RequestState } from "./request-state";
import { PLATFORM_ID } from "./tenant";

/**
 * OAuth clients call the OAuth provider plugin without a tenant: the protocol has no place for one.
 * Their client id is unique across all tenants, so its row names the tenant. A client id is public, as
 * a tenant's id is. What the call may do is decided by the plugin, inside of that tenant.
 */
export async function enterTenantOfOAuthClient(
	ctx: GenericEndpointContext,
	state: RequestState,
): Promise<void> {
	const clientId = findClientId(ctx);
	const tenantId = clientId && (await findTenantIdOfClient(ctx, clientId));
	// Without a client, the plugin refuses the call.
	if (tenantId !== null) await enterTenantOfToken(state, tenantId);
}

async function findTenantIdOfClient(
	{ context: { adapter } }: GenericEndpointContext,
	clientId: string,
): Promise<string | null> {
	return runAcrossTenants(async () => {
		const client = await adapter.findOne<{ id: unknown }>({
			model: "oauthClient",
			where: [{ field: "clientId", value: clientId }],
			select: ["id"],
		});
		if (!client) return null;
		const owner = await adapter.findOne<{ tenantId: string }>({
			model: "tenantRow",
			where: [
				{ field: "model", value: "oauthClient" },
				{ field: "rowId", value: String(client.id) },
			],
		});
		return owner?.tenantId ?? PLATFORM_ID;
	});
}

/** The client id that a call presents, in the ways of the protocol. Nothing of it is verified here. */
function findClientId(ctx: GenericEndpointContext): string | null {
	const input = { ...asRecord(ctx.query), ...asRecord(ctx.body) };
	const authorization = headersOf(ctx)?.get("authorization") ?? "";
	const bearer = authorization.match(/^(?:bearer|dpop) +(\S+)$/i)?.[1];
	const candidates = [
		input.client_id,
		userOfBasic(authorization),
		claimsOf(input.client_assertion).sub,
		...[claimsOf(input.id_token_hint).aud].flat(),
		claimsOf(bearer ?? input.access_token).client_id,
		claimsOf(bearer ?? input.access_token).azp,
	];
	const clientId = candidates.find((it) => typeof it === "string" && it !== "");
	// PostgreSQL fails on a NUL in a parameter, and no client has one.
	return typeof clientId === "string" && !clientId.includes("\0") ? clientId : null;
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function userOfBasic(authorization: string): string | undefined {
	const encoded = authorization.match(/^basic +(\S+)$/i)?.[1];
	if (!encoded) return undefined;
	try {
		const [user = ""] = atob(encoded).split(":", 1);
		return decodeURIComponent(user.replaceAll("+", " "));
	} catch {
		return undefined;
	}
}

function claimsOf(token: unknown): Record<string, unknown> {
	const payload = typeof token === "string" ? token.split(".")[1] : undefined;
	if (!payload) return {};
	try {
		return asRecord(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
	} catch {
		return {};
	}
}

const asRecord = (value: unknown): Record<string, unknown> =>
	typeof value === "object" && value !== null ? { ...value } : {};
