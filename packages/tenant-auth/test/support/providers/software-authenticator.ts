import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

const text = (value: string) => Buffer.from(value);
const sha256 = (value: string | Buffer) => createHash("sha256").update(value).digest();

/** A CBOR head: major type and length (RFC 8949, section 3). */
function head(major: number, length: number): Buffer {
	if (length < 24) return Buffer.from([(major << 5) | length]);
	if (length < 256) return Buffer.from([(major << 5) | 24, length]);
	return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

function cbor(value: Cbor): Buffer {
	if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
	if (typeof value === "string") return Buffer.concat([head(3, value.length), text(value)]);
	if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
	const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
	return Buffer.concat([head(5, value.size), ...entries]);
}

/** What a security key does: one credential that signs the challenges it is given. */
export function makeAuthenticator(origin: string) {
	const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const credentialId = randomBytes(32);
	const id = credentialId.toString("base64url");
	let counter = 0;

	function authenticatorData(flags: number): Buffer {
		const count = Buffer.alloc(4);
		counter += 1;
		count.writeUInt32BE(counter);
		return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags]), count]);
	}

	const clientData = (type: string, challenge: string) =>
		text(JSON.stringify({ type, challenge, origin, crossOrigin: false }));

	const answer = (response: Record<string, Buffer>) => ({
		id,
		rawId: id,
		type: "public-key",
		clientExtensionResults: {},
		response: Object.fromEntries(
			Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]),
		),
	});

	return {
		id,
		register(challenge: string) {
			const { x = "", y = "" } = publicKey.export({ format: "jwk" });
			const key = new Map<number, Cbor>([
				[1, 2],
				[3, -7],
				[-1, 1],
				[-2, Buffer.from(x, "base64url")],
				[-3, Buffer.from(y, "base64url")],
			]);
			const authData = Buffer.concat([
				authenticatorData(0x45),
				Buffer.alloc(16),
				Buffer.from([0, credentialId.length]),
				credentialId,
				cbor(key),
			]);
			const attestationObject = cbor(
				new Map<string, Cbor>([
					["fmt", "none"],
					["attStmt", new Map()],
					["authData", authData],
				]),
			);
			return answer({
				clientDataJSON: clientData("webauthn.create", challenge),
				attestationObject,
			});
		},
		authenticate(challenge: string) {
			const data = authenticatorData(0x05);
			const clientDataJSON = clientData("webauthn.get", challenge);
			const signed = Buffer.concat([data, sha256(clientDataJSON)]);
			const signature = sign("sha256", signed, privateKey);
			return answer({ clientDataJSON, authenticatorData: data, signature });
		},
	};
}
