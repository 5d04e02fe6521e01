import type { AuthContext } from "@better-auth/core";
import { symmetricEncrypt } from "better-auth/crypto";
import type { TenantScope } from "../../call/context/tenant";
import { SECOND_FACTOR } from "../../call/foreign";
import { optionsOf } from "../../database/encrypted-fields";
import type { AnyAdapter, IsolationSettings, Row } from "../../isolation/raw-adapter";
import { forgetOwners, recordOwner } from "../../isolation/row-owners";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Reads a secret in base32, as authenticator apps have it. Better Auth keeps the key as a text, so most
 * keys of random bytes cannot be stored.
 *
 * @returns `null` if it is not base32, or not the UTF-8 of a text
 */
export function decodeTotpSecret(secret: string): string | null {
	const digits = secret.toUpperCase().replaceAll(/[\s-]|=+$/g, "");
	const bytes: number[] = [];
	let [rest, bits] = [0, 0];
	for (const digit of digits) {
		const value = ALPHABET.indexOf(digit);
		if (value < 0) return null;
		rest = (rest << 5) | value;
		bits += 5;
		if (bits < 8) continue;
		bits -= 8;
		bytes.push(rest >> bits);
		rest &= (1 << bits) - 1;
	}
	try {
		const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
		return decoder.decode(new Uint8Array(bytes)) || null;
	} catch {
		return null;
	}
}

interface Place {
	context: AuthContext;
	database: AnyAdapter;
	settings: Pick<IsolationSettings, "reusesIds">;
	scope: TenantScope;
}

/** Stores a second factor as Better Auth's `twoFactor()` does, without backup codes. */
export async function storeSecondFactor(
	{ context, database, settings, scope }: Place,
	userId: string,
	totpSecret: string,
): Promise<void> {
	const { table: model } = SECOND_FACTOR;
	const secret = await encrypt(context, decodeTotpSecret(totpSecret) ?? "");
	const data = { userId, secret, backupCodes: await noBackupCodes(context), verified: true };
	const { id } = await database.create<Row, Row>({ model, data });
	if (settings.reusesIds) await forgetOwners(database, model, [String(id)]);
	await recordOwner(database, model, id, scope);
}

const encrypt = ({ secretConfig }: AuthContext, data: string) =>
	symmetricEncrypt({ key: secretConfig, data });

async function noBackupCodes(context: AuthContext): Promise<string> {
	const { backupCodeOptions }: { backupCodeOptions?: { storeBackupCodes?: BackupCodeStore } } =
		optionsOf(context, SECOND_FACTOR.plugin);
	const { storeBackupCodes = "encrypted" } = backupCodeOptions ?? {};
	if (typeof storeBackupCodes === "object") return storeBackupCodes.encrypt("[]");
	return storeBackupCodes === "encrypted" ? encrypt(context, "[]") : "[]";
}

type BackupCodeStore = "plain" | "encrypted" | { encrypt: (codes: string) => Promise<string> };
