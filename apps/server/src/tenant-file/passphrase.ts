import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { type Identity, type Recipient, Stanza } from "age-encryption";

// A file key that is encrypted with a passphrase (https://c2sp.org/age#the-scrypt-recipient-type). The library
// has this too, but derives the key on the thread that serves all requests: it needs seconds.

const TYPE = "scrypt";
const LABEL = "age-encryption.org/v1/scrypt";
const CIPHER = "chacha20-poly1305";
const NONCE = new Uint8Array(12);
const TAG_BYTES = 16;
const SALT_BYTES = 16;
/** As the program age does. It needs 256 MB for a second. A file that needs more is refused. */
export const LOG_N = 18;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);

const deriveKey = (passphrase: string, salt: Buffer, logN: number) =>
	derive(passphrase, Buffer.concat([Buffer.from(LABEL), salt]), 32, {
		N: 2 ** logN,
		r: 8,
		p: 1,
		maxmem: 2 ** (logN + 11),
	});

export const passphraseRecipient = (passphrase: string, logN: number): Recipient => ({
	wrapFileKey: async (fileKey) => {
		const salt = randomBytes(SALT_BYTES);
		const key = await deriveKey(passphrase, salt, logN);
		const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
		const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
		const args = [TYPE, salt.toString("base64").replaceAll("=", ""), String(logN)];
		return [new Stanza(args, Uint8Array.from(body))];
	},
});

export const passphraseIdentity = (passphrase: string): Identity => ({
	unwrapFileKey: async (stanzas) => {
		const [{ args = [], body = NONCE } = {}, ...others] = stanzas;
		const [type, saltText = "", logN = ""] = args;
		const salt = Buffer.from(saltText, "base64");
		const isReadable =
			type === TYPE && others.length === 0 && args.length === 3 && salt.length === SALT_BYTES;
		if (!isReadable || body.length <= TAG_BYTES) throw new Error("not made with a passphrase");
		if (!/^[1-9]\d?$/.test(logN) || Number(logN) > LOG_N) throw new Error("too much work");
		const key = await deriveKey(passphrase, salt, Number(logN));
		const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
		decipher.setAuthTag(body.subarray(-TAG_BYTES));
		const fileKey = decipher.update(body.subarray(0, -TAG_BYTES));
		try {
			decipher.final();
		} catch {
			return null;
		}
		return Uint8Array.from(fileKey);
	},
});
