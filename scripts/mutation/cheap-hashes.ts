// A real hash of a password takes a tenth of a second. A check of the scope needs ten thousands of
// them, and it is all the same to the scope how passwords are hashed.

import crypto, { type ScryptOptions } from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const { scrypt } = crypto;
type Text = string | Buffer;

Object.assign(crypto, {
	scrypt(
		password: Text,
		salt: Text,
		length: number,
		options: ScryptOptions,
		onEnd: (error: Error | null, key: Buffer) => void,
	) {
		scrypt(password, salt, length, { ...options, N: 2 }, onEnd);
	},
});
syncBuiltinESMExports();
