import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { generateId } from "@better-auth/core/utils/id";
import { currentScope } from "../call/context/current-scope";
import type { TenantInstance } from "../call/context/request-state";
import { ALL_TENANTS } from "../call/context/tenant";
import type { SessionArguments, StageParts } from "../database/internal-adapter";
import { addedFields } from "../database/row-fields";

/** Better Auth's tokens have 32 letters and digits. */
const RANDOM_LENGTH = 32;
const SEPARATOR = "_";

/** A dot in a token would begin its signature. The platform has none: its users may move into a tenant. */
const WRITABLE = /^[\w-]+$/;

/** The token of a session that says in which tenant the session is. */
const withTenant = (token: string, tenantId: string): string =>
	token.length === RANDOM_LENGTH ? token + SEPARATOR + tenantId : token;

/**
 * The tenant that the token of a session names; `null` if it names none, as one from before the option.
 * It is what a client sends: it limits where the token is looked for, and decides nothing.
 */
export const tenantIn = (token: string): string | null =>
	token.charAt(RANDOM_LENGTH) === SEPARATOR ? token.slice(RANDOM_LENGTH + 1) : null;

/** Lets core create sessions whose tokens name their tenant, if the app wants that. */
export const nameTenantInTokens = (ctx: AuthContext, instance: TenantInstance): StageParts =>
	instance.options.tenantInSessionTokens
		? { sessionArguments: (given) => withNamedTenant(ctx.options, instance, given) }
		: {};

/**
 * Core takes the token of a new session only from a caller that decides all values. A database hook would
 * be too late: core stores the session in a secondary storage under the token from before it.
 */
async function withNamedTenant(
	options: BetterAuthOptions,
	instance: TenantInstance,
	given: SessionArguments,
): Promise<SessionArguments> {
	const scope = await currentScope(instance);
	if (scope === ALL_TENANTS || !WRITABLE.test(scope.tenantId)) return given;
	const [isForgotten, values = {}, decidesAll, storage] = given;
	const own = decidesAll ? values : added(options, values);
	const token = withTenant(own.token ?? generateId(RANDOM_LENGTH), scope.tenantId);
	return [isForgotten, { ...own, token }, true, storage];
}

/** What core takes from a caller that does not decide all values: nothing that it has a value for. */
function added(
	options: BetterAuthOptions,
	values: NonNullable<SessionArguments[1]>,
): typeof values {
	const { userId, token, expiresAt, createdAt, updatedAt, ...rest } = values;
	const fields = addedFields(options, "session");
	const isAdded = ([name]: [string, unknown]) => fields[name]?.defaultValue === undefined;
	return Object.fromEntries(Object.entries(rest).filter(isAdded));
}
