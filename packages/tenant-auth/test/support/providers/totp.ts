import { createHmac } from "node:crypto";

/** What an authenticator app shows for a secret that it read from a URI (RFC 6238, RFC 4226). */
export function totpOf(uri: string): string {
	const key = base32Decode(new URL(uri).searchParams.get("secret") ?? "");
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
	const digest = createHmac("sha1", key).update(counter).digest();
	const offset = (digest.at(-1) ?? 0) & 15;
	return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, "0");
}

function base32Decode(text: string): Buffer {
	const bits = [...text.replaceAll("=", "")]
		.map((letter) =>
			"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
		)
		.join("");
	return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
