import type { AuthContext } from "@better-auth/core";
import type { StoredPassword } from "../../call/port/tenant-plugin";
import { currentAdapter } from "../../database/current-adapter";
import { costsTooMuch } from "../../password-hash-cost";
import { type ForeignHash, parseStoredHash } from "./foreign-hash";
import { passwordHashesOf } from "./options";

/**
 * Verifies imported password hashes of other systems with the app's functions, and then stores a hash of
 * Better Auth in their place.
 *
 * Better Auth passes the stored text only. So that text says what kind of hash it is and whose.
 */
export async function verifyImported(
	ctx: AuthContext,
	input: StoredPassword,
): Promise<boolean | null> {
	const foreign = parseStoredHash(input.stored);
	if (!foreign) return null;
	if (!(await verifyForeign(ctx, foreign, input.password))) return false;
	await replace(ctx, input, foreign).catch((error: unknown) => {
		// The password is right. The next sign-in tries again.
		ctx.logger.error("tenantImports: an imported password was not hashed again", error);
	});
	return true;
}

async function verifyForeign(
	ctx: AuthContext,
	foreign: ForeignHash,
	password: string,
): Promise<boolean> {
	const kinds = passwordHashesOf(ctx);
	const kind = Object.hasOwn(kinds, foreign.kind) ? kinds[foreign.kind] : undefined;
	if (!kind) {
		ctx.logger.error(`tenantImports: passwordHashes has no ${foreign.kind} any more`);
		return false;
	}
	// The import refuses it too. It may have been stored by an earlier version, or past the plugin.
	if (costsTooMuch(foreign.hash)) {
		ctx.logger.error(`tenantImports: a hash of ${foreign.kind} costs too much to verify`);
		return false;
	}
	try {
		return (await kind.verify({ hash: foreign.hash, password })) === true;
	} catch (error) {
		// The hash itself may be broken. That is not an error of the user.
		ctx.logger.error(`tenantImports: passwordHashes.${foreign.kind}.verify failed`, error);
		return false;
	}
}

/** Only if the account still has the hash: the user may change the password meanwhile. */
async function replace(
	{ adapter }: AuthContext,
	{ stored, password, hash }: StoredPassword,
	{ userId }: ForeignHash,
): Promise<void> {
	const where = [
		{ field: "userId", value: userId },
		{ field: "providerId", value: "credential" },
		{ field: "password", value: stored },
	];
	const update = { password: await hash(password), updatedAt: new Date() };
	await currentAdapter(adapter).updateMany({ model: "account", where, update });
}
