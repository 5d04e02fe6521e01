/** The kinds of images that every browser and every email program shows, and that cannot run a script. */
const KINDS = {
	png: { type: "image/png", sizeOf: pngSize },
	jpg: { type: "image/jpeg", sizeOf: jpegSize },
	webp: { type: "image/webp", sizeOf: webpSize },
} as const;

export type LogoKind = keyof typeof KINDS;

const LOGO_KINDS = Object.keys(KINDS) as LogoKind[];

export const contentTypeOf = (kind: LogoKind): string => KINDS[kind].type;

type Size = { width: number; height: number };

export type LogoImage = Size & { kind: LogoKind };

/** What the bytes are, whatever a name or a header says. `null` if they are none of the kinds. */
export function inspectImage(bytes: Buffer): LogoImage | null {
	for (const kind of LOGO_KINDS) {
		const size = KINDS[kind].sizeOf(bytes);
		if (size && size.width > 0 && size.height > 0) return { kind, ...size };
	}
	return null;
}

const startsWith = (bytes: Buffer, start: readonly number[], at = 0) =>
	bytes.length >= at + start.length && start.every((byte, index) => bytes[at + index] === byte);

const textAt = (bytes: Buffer, at: number, length: number) =>
	bytes.toString("latin1", at, at + length);

/** https://www.w3.org/TR/png-3/#5PNG-file-signature and #11IHDR */
function pngSize(bytes: Buffer): Size | null {
	const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
	if (!startsWith(bytes, signature) || bytes.length < 33) return null;
	if (textAt(bytes, 12, 4) !== "IHDR") return null;
	return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** Reads the segments up to the frame header, which has the size (ITU T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size | null {
	if (!startsWith(bytes, [0xff, 0xd8, 0xff])) return null;
	let at = 2;
	while (at + 9 <= bytes.length && bytes[at] === 0xff) {
		const marker = bytes[at + 1] ?? 0;
		if (isFrameHeader(marker)) {
			return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
		}
		// A marker may be preceded by fill bytes.
		at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
	}
	return null;
}

/** SOF0 to SOF15, without the markers between them that mean something else. */
const isFrameHeader = (marker: number) =>
	marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** https://www.rfc-editor.org/rfc/rfc9649#section-2 */
function webpSize(bytes: Buffer): Size | null {
	if (bytes.length < 30) return null;
	if (textAt(bytes, 0, 4) !== "RIFF" || textAt(bytes, 8, 4) !== "WEBP") return null;
	switch (textAt(bytes, 12, 4)) {
		case "VP8 ":
			if (!startsWith(bytes, [0x9d, 0x01, 0x2a], 23)) return null;
			return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
		case "VP8L": {
			if (bytes[20] !== 0x2f) return null;
			const bits = bytes.readUInt32LE(21);
			return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
		}
		case "VP8X":
			return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
		default:
			return null;
	}
}
