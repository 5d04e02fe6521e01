import type { AuthContext } from "@better-auth/core";
import { parseEnvelope, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import type { EncryptedField } from "./encrypted-fields";

type Row = Readonly<Record<string, unknown>>;

/**
 * - `current`: encrypted with the newest secret
 * - `outdated`: encrypted with an older secret
 * - `unreadable`: no secret decrypts it, or it was encrypted for another row
 */
export type EncryptionState = "current" | "outdated" | "unreadable";

/** A nonce of 24 bytes and a tag of 16, in hexadecimal. Anything shorter is no ciphertext. */
const CIPHERTEXT = /^(?:[0-9a-f]{2}){40,}$/i;

/** The ciphertext of a row, or `null` if there is none to decrypt. */
function ciphertextOf({ name, isJson, mayBePlain, isUsed }: EncryptedField, row: Row) {
	const stored = row[name];
	if (typeof stored !== "string" || stored === "" || isUsed?.(row) === false) return null;
	if (isJson) return jsonString(stored);
	if (mayBePlain && !CIPHERTEXT.test(parseEnvelope(stored)?.ciphertext ?? stored)) return null;
	return stored;
}

function jsonString(text: string): string {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "string" ? value : text;
	} catch {
		return text;
	}
}

/** @throws Error if no secret decrypts it */
function decrypt(ctx: SealingContext, { placeOf }: EncryptedField, row: Row, ciphertext: string) {
	if (placeOf) return unseal(ctx, placeOf(row), ciphertext);
	return symmetricDecrypt({ key: ctx.secretConfig, data: ciphertext });
}

const isOfNewest = ({ secretConfig }: SealingContext, ciphertext: string): boolean =>
	typeof secretConfig === "string" ||
	parseEnvelope(ciphertext)?.version === secretConfig.currentVersion;

/** The state of one value; `null` if the row has none that is encrypted. */
export async function encryptionStateOf(
	ctx: SealingContext,
	field: EncryptedField,
	row: Row,
): Promise<EncryptionState | null> {
	const ciphertext = ciphertextOf(field, row);
	if (ciphertext === null) return null;
	try {
		await decrypt(ctx, field, row, ciphertext);
	} catch {
		// Not logged: the cause may contain a part of the plaintext.
		return "unreadable";
	}
	return isOfNewest(ctx, ciphertext) ? "current" : "outdated";
}

/** The state of a row is the worst of its values. */
export async function rowStateOf(
	ctx: SealingContext,
	fields: readonly EncryptedField[],
	row: Row,
): Promise<EncryptionState | null> {
	const states = await Promise.all(fields.map((field) => encryptionStateOf(ctx, field, row)));
	const order: EncryptionState[] = ["unreadable", "outdated", "current"];
	return order.find((state) => states.includes(state)) ?? null;
}

/** Values of a row in another form, by their columns. */
type Convert = (
	ctx: SealingContext,
	fields: readonly EncryptedField[],
	row: Row,
) => Promise<Record<string, string>>;

/** The encrypted values of a row. If one cannot be decrypted, the error may contain a part of it. */
export const decryptedValues: Convert = async (ctx, fields, row) => {
	const values: Record<string, string> = {};
	for (const field of fields) {
		const ciphertext = ciphertextOf(field, row);
		if (ciphertext !== null) values[field.name] = await decrypt(ctx, field, row, ciphertext);
	}
	return values;
};

/** The plain values of a row, encrypted with the newest secret for the place where they are. */
export const encryptedValues: Convert = async (ctx, fields, row) => {
	const values: Record<string, string> = {};
	for (const { name, placeOf, isJson } of fields) {
		const data = String(row[name]);
		const ciphertext = placeOf
			? await seal(ctx, placeOf(row), data)
			: await symmetricEncrypt({ key: ctx.secretConfig, data });
		values[name] = isJson ? JSON.stringify(ciphertext) : ciphertext;
	}
	return values;
};

/** The values of a row that an older secret encrypted, encrypted with the newest one. */
export const reencryptedValues: Convert = async (ctx, fields, row) => {
	const outdated = fields.filter((field) => {
		const ciphertext = ciphertextOf(field, row);
		return ciphertext !== null && !isOfNewest(ctx, ciphertext);
	});
	const plain = await decryptedValues(ctx, outdated, row);
	return encryptedValues(ctx, outdated, { ...row, ...plain });
};

export type SealingContext = Pick<AuthContext, "secretConfig">;

/** Encrypts a value together with its place: a ciphertext in another row or column is rejected. */
export function seal(
	{ secretConfig }: SealingContext,
	place: readonly string[],
	value: string,
): Promise<string> {
	return symmetricEncrypt({ key: secretConfig, data: JSON.stringify([...place, value]) });
}

/** @throws Error if it cannot be decrypted, or was sealed for another place; it may contain plaintext */
export async function unseal(
	{ secretConfig }: SealingContext,
	place: readonly string[],
	sealed: string,
): Promise<string> {
	const data: unknown = JSON.parse(await symmetricDecrypt({ key: secretConfig, data: sealed }));
	if (!Array.isArray(data) || data.length !== place.length + 1) throw new Error("not a value");
	const value: unknown = data.at(-1);
	const isBound = place.every((part, index) => data[index] === part);
	if (!isBound || typeof value !== "string") throw new Error("a value of another place");
	return value;
}
