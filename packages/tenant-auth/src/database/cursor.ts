import { constantTimeEqual, makeSignature } from "better-auth/crypto";
import { tenantError } from "../tenant-error";
import type { Position } from "./pages";

/** Where a list continues, as a text for a caller. */
export interface Cursors {
	write(position: Position): Promise<string>;
	/** @throws `INVALID_CURSOR` */
	read(cursor: string): Promise<Position>;
}

/**
 * The cursors of one list: of one tenant, in one order, with certain filters.
 *
 * A cursor is signed together with all of these. So a cursor of another tenant or of another order is
 * rejected, and so is one that the caller made up. It is not encrypted: the caller has seen its row.
 */
export function cursorsOf(secret: string, list: readonly unknown[]): Cursors {
	const sign = async (position: string) => {
		const signature = await makeSignature(JSON.stringify(["list cursor", list, position]), secret);
		return toUrlAlphabet(signature);
	};
	return {
		async write({ key, id }) {
			const position = encode(JSON.stringify([key, id]));
			return `${position}.${await sign(position)}`;
		},
		async read(cursor) {
			const [position = "", signature = ""] = cursor.split(".");
			if (!constantTimeEqual(signature, await sign(position))) throw tenantError("INVALID_CURSOR");
			const [key, id] = JSON.parse(decode(position)) as [Position["key"], string];
			return { key, id };
		},
	};
}

const encoder = new TextEncoder();

const toUrlAlphabet = (base64: string) =>
	base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

const encode = (text: string) => toUrlAlphabet(btoa(String.fromCodePoint(...encoder.encode(text))));

const decode = (text: string) =>
	new TextDecoder().decode(
		Uint8Array.from(
			atob(text.replaceAll("-", "+").replaceAll("_", "/")),
			(character) => character.codePointAt(0) ?? 0,
		),
	);
