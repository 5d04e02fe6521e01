import type { AuthContext } from "@better-auth/core";
import { currentAdapter } from "../database/current-adapter";
import { type ForeignHash, parseStoredHash } from "../management/users/foreign-hash";
import type { ResolvedOptions } from "../options";
import { costsTooMuch } from "../password-hash-cost";

type Passwords = AuthContext["password"];

/**
 * Verifies imported password hashes of other systems with the app's functions, and then stores a hash of
 * Better Auth in their place.
 *
 * Better Auth reads `ctx.password` when it verifies, and passes the stored text only. So that text says
 * what kind of hash it is and whose.
 */
export function withForeignHashes(
	ctx: AuthContext,
	kinds: ResolvedOptions["passwordHashes"],
): Passwords {
	const { hash, verify } = ctx.password;

	async function verifyForeign(foreign: ForeignHash, password: string): Promise<boolean> {
		const kind = Object.hasOwn(kinds, foreign.kind) ? kinds[foreign.kind] : undefined;
		if (!kind) {
			ctx.logger.error(`tenantAuth: passwordHashes has no ${foreign.kind} any more`);
			return false;
		}
		// The import refuses it too. It may have been stored by an earlier version, or past the plugin.
		if (costsTooMuch(foreign.hash)) {
			ctx.logger.error(`tenantAuth: a hash of ${foreign.kind} costs too much to verify`);
			return false;
		}
		try {
			return (await kind.verify({ hash: foreign.hash, password })) === true;
		} catch (error) {
			// The hash itself may be broken. That is not an error of the user.
			ctx.logger.error(`tenantAuth: passwordHashes.${foreign.kind}.verify failed`, error);
			return false;
		}
	}

	/** Only if the account still has the hash: the user may change the password meanwhile. */
	async function replace(stored: string, { userId }: ForeignHash, password: string) {
		const where = [
			{ field: "userId", value: userId },
			{ field: "providerId", value: "credential" },
			{ field: "password", value: stored },
		];
		const update = { password: await hash(password), updatedAt: new Date() };
		await currentAdapter(ctx.adapter).updateMany({ model: "account", where, update });
	}

	return {
		...ctx.password,
		verify: async (input) => {
			const foreign = parseStoredHash(input.hash);
			if (!foreign) return verify(input);
			if (!(await verifyForeign(foreign, input.password))) return false;
			await replace(input.hash, foreign, input.password).catch((error: unknown) => {
				// The password is right. The next sign-in tries again.
				ctx.logger.error("tenantAuth: an imported password was not hashed again", error);
			});
			return true;
		},
	};
}
