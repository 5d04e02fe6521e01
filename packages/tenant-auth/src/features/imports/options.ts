import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { pluginOptions } from "../../call/port/plugin-options";
import { requireKnownOptions } from "../../known-options";
import { OWN_HASH_KIND } from "./foreign-hash";
import type { TenantImportsSchemaNames } from "./schema";

export interface TenantImportsOptions {
	/**
	 * Password hashes of other systems that can be imported, by their kind. After the first sign-in, the
	 * password is hashed by Better Auth.
	 *
	 * @default {}
	 * @example
	 * ```ts
	 * passwordHashes: { bcrypt: { verify: ({ hash, password }) => bcrypt.compare(password, hash) } }
	 * ```
	 */
	passwordHashes?: Readonly<Record<string, PasswordHash>>;
	/** Other names for the table and its columns. */
	schema?: TenantImportsSchemaNames;
}

/** A kind of password hash that Better Auth does not know. */
export interface PasswordHash {
	/** Whether the hash is that of the password. */
	verify: (input: { hash: string; password: string }) => boolean | Promise<boolean>;
}

export const IMPORTS_PLUGIN = "tenant-auth-imports";

const HASH_KIND = /^[a-z][a-z\d-]{0,31}$/;

/** A wrong option stops the start, not the first import. */
export function checkOptions(options: TenantImportsOptions): void {
	requireKnownOptions("tenantImports", options, { passwordHashes: true, schema: true });
	for (const kind of Object.keys(options.passwordHashes ?? {})) {
		if (HASH_KIND.test(kind) && kind !== OWN_HASH_KIND) continue;
		throw new BetterAuthError(
			`tenantImports: passwordHashes cannot contain ${JSON.stringify(kind)}: a kind has lowercase letters, digits and hyphens, and ${OWN_HASH_KIND} is Better Auth's own`,
		);
	}
}

export type PasswordHashes = Readonly<Record<string, PasswordHash>>;

export const passwordHashesOf = (ctx: Pick<AuthContext, "getPlugin">): PasswordHashes =>
	pluginOptions<TenantImportsOptions>(ctx, IMPORTS_PLUGIN, "tenantImports").passwordHashes ?? {};
