import { findCurrentTenantRow } from "../../call/context/current-scope";
import { type TenantMetadata, type TenantWith, toTenant, type WithTenant } from "./tenant";

/**
 * The tenant that the running request is in, with its parsed metadata; `null` for the platform.
 *
 * Like `getCurrentTenantId()`, it works anywhere in a request and in `runInTenant`. Inside of a request
 * it reads nothing: the row was read when the request entered the tenant.
 *
 * @throws APIError `TENANT_SUSPENDED` in a hook of a request whose tenant is suspended
 * @example
 * ```ts
 * sendMagicLink: async ({ email, url }) => {
 *   const tenant = await getCurrentTenant();
 *   await sendEmail(email, `Sign in to ${tenant?.name ?? "Example"}`, url);
 * }
 * ```
 */
export async function getCurrentTenant<
	Metadata extends object = TenantMetadata,
>(): Promise<TenantWith<Metadata> | null> {
	const row = await findCurrentTenantRow();
	// The type is the caller's, as in `tenantAuth<Metadata>()`.
	return row && (toTenant(row) as TenantWith<Metadata>);
}

/**
 * Adds the `tenant` to the data of a callback of Better Auth or of a plugin, with its type.
 *
 * @example
 * ```ts
 * sendResetPassword: withTenant(async ({ user, url, tenant }) => {
 *   await sendEmail(user.email, `Your password at ${tenant?.name ?? "Example"}`, url);
 * })
 * ```
 */
export function withTenant<Data extends object, Rest extends unknown[], Result>(
	callback: (data: WithTenant<Data>, ...rest: Rest) => Result | Promise<Result>,
): (data: Data, ...rest: Rest) => Promise<Result> {
	return async (data, ...rest) => callback({ ...data, tenant: await getCurrentTenant() }, ...rest);
}
