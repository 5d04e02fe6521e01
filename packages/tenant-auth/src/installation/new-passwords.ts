import type { AuthContext } from "@better-auth/core";
import { findEndpoint } from "../call/context/current-state";
import { findCurrentTenantRow } from "../call/context/current-tenant";
import { endpointOf, requirePassword } from "../call/context/policy-check";
import type { PasswordCheck, TenantInstance } from "../call/context/request-state";
import { isPwned } from "../call/policy/breached-passwords";
import type { ResolvedOptions } from "../options";
import { tenantError } from "../tenant-error";

type Passwords = AuthContext["password"];

/**
 * Makes new passwords keep to the rules of the app and to the tenant's policy.
 *
 * Every new password is hashed, so the check is there, whatever endpoint it comes to. Core also hashes a
 * password that it cannot verify, to hide that a user does not exist: not at those endpoints.
 */
export function checkNewPasswords(passwords: Passwords, instance: TenantInstance): Passwords {
	return {
		...passwords,
		hash: async (password) => {
			const endpoint = findEndpoint();
			if (!endpoint || !endpointOf(endpoint).verifiesPassword) {
				await requirePassword(instance, await findCurrentTenantRow(instance), password);
			}
			return passwords.hash(password);
		},
	};
}

/** A password that could not be checked is refused: the app or the tenant asked for the check. */
export function passwordChecks(
	{ logger }: Pick<AuthContext, "logger">,
	{ isCommonPassword, isBreachedPassword = isPwned }: ResolvedOptions,
): Pick<TenantInstance, "isCommon" | "isBreached"> {
	const orRefuse =
		(check: (password: string) => boolean | Promise<boolean>): PasswordCheck =>
		async (password) => {
			try {
				return await check(password);
			} catch (cause) {
				logger.error("tenantAuth: a password could not be checked", cause);
				throw tenantError("PASSWORD_CHECK_UNAVAILABLE", { headers: { "Retry-After": "10" } });
			}
		};
	return {
		isCommon: isCommonPassword ? orRefuse(isCommonPassword) : null,
		isBreached: orRefuse(isBreachedPassword),
	};
}
