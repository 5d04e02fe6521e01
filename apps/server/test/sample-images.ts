import { crc32, deflateSync } from "node:zlib";

/** A PNG image in one color. */
export function png({ width = 8, height = 8, rgb = [15, 118, 110] } = {}): Buffer {
	const line = Buffer.from([0, ...Array.from({ length: width }, () => rgb).flat()]);
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	// Eight bits per channel, red, green and blue.
	header.set([8, 2, 0, 0, 0], 8);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk("IHDR", header),
		chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

function chunk(name: string, data: Buffer): Buffer {
	const content = Buffer.concat([Buffer.from(name, "latin1"), data]);
	const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
	length.writeUInt32BE(data.length);
	checksum.writeUInt32BE(crc32(content));
	return Buffer.concat([length, content, checksum]);
}

/** The beginning of a JPEG image: a segment of an app, a fill byte, and the frame header. */
export function jpeg({ width = 8, height = 8 } = {}): Buffer {
	const frame = Buffer.from([0xff, 0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 1]);
	frame.writeUInt16BE(height, 6);
	frame.writeUInt16BE(width, 8);
	const start = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 6, 1, 2, 3, 4]);
	return Buffer.concat([start, frame, Buffer.from([3, 0x11, 1, 0xff, 0xd9])]);
}

/** WebP has three formats, which have the size at different places. */
export const webp = {
	lossy: ({ width = 8, height = 8 } = {}) =>
		riff("VP8 ", [
			0,
			0,
			0,
			0x9d,
			0x01,
			0x2a,
			...littleEndian(width, 2),
			...littleEndian(height, 2),
		]),
	lossless: ({ width = 8, height = 8 } = {}) =>
		riff("VP8L", [0x2f, ...littleEndian((width - 1) | ((height - 1) << 14), 4)]),
	extended: ({ width = 8, height = 8 } = {}) =>
		riff("VP8X", [0, 0, 0, 0, ...littleEndian(width - 1, 3), ...littleEndian(height - 1, 3)]),
};

const littleEndian = (value: number, bytes: number) =>
	Array.from({ length: bytes }, (_, index) => (value >>> (8 * index)) & 255);

function riff(format: string, data: number[]): Buffer {
	const size = Buffer.alloc(4);
	const padded = Buffer.alloc(32);
	padded.set(data);
	const name = (text: string) => Buffer.from(text, "latin1");
	return Buffer.concat([name("RIFF"), size, name("WEBP"), name(format), size, padded]);
}
