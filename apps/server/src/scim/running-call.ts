import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter, getCurrentAuthEndpointContext } from "@better-auth/core/context";
import { APIError } from "better-auth/api";
import type { Directory } from "better-auth-tenant";
import type { TokenRow } from "./schema";

/** The SCIM plugin does not pass the call to its callbacks. */
export const runningCall = () => getCurrentAuthEndpointContext() as GenericEndpointContext;

/** A token is the id of its credential and a secret. */
const TOKEN = /^bearer +([\w-]+)\.[\w-]+$/i;

/** The directory whose token the running call presents. The SCIM plugin has verified the token. */
export async function requireDirectory(ctx: GenericEndpointContext): Promise<Directory> {
	const presented = (ctx.request?.headers ?? ctx.headers)?.get("authorization") ?? "";
	const credentialId = TOKEN.exec(presented.trim())?.[1];
	const database = await getCurrentAdapter(ctx.context.adapter);
	const token = credentialId
		? await database.findOne<TokenRow>({
				model: "scimToken",
				where: [{ field: "credentialId", value: credentialId }],
			})
		: null;
	if (!token) throw new APIError("UNAUTHORIZED", { message: "The SCIM token is not known" });
	const { name, role } = token;
	return { actor: { kind: "key", id: token.credentialId, name }, role };
}
