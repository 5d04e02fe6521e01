import type { AuthContext } from "@better-auth/core";

/** The first minor version of Better Auth that our tests do not run with. */
const UNTESTED = { major: 1, minor: 8 };

/**
 * Warns about a version of Better Auth that is newer than all tested ones. npm warns too, but an
 * installation with `--force` or `--legacy-peer-deps` does not.
 */
export function warnAboutNewerBetterAuth({ version, logger }: AuthContext): void {
	const [major = 0, minor = 0] = version.split(".").map(Number);
	const isTested = major < UNTESTED.major || (major === UNTESTED.major && minor < UNTESTED.minor);
	if (isTested) return;
	logger.warn(
		`tenantAuth: not tested with Better Auth ${version}, only with versions below ${UNTESTED.major}.${UNTESTED.minor}. Run assertTenantIsolation and your own tests before you use it`,
	);
}
