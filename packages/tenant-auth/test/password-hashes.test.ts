import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { sha256, sha512 } from "@noble/hashes/sha2.js";
import {
	type FirebaseHashConfig,
	firebaseScrypt,
	keycloakPbkdf2,
} from "better-auth-tenant/password-hashes";
import { describe, expect, it } from "vitest";

/** The example in the README of github.com/firebase/scrypt. */
const firebase = {
	config: {
		signerKey:
			"jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==",
		saltSeparator: "Bw==",
		rounds: 8,
		memCost: 14,
	} satisfies FirebaseHashConfig,
	hash: "42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==",
	password: "user1password",
};

describe("firebaseScrypt", () => {
	const { verify } = firebaseScrypt(firebase.config);

	it("verifies Firebase's own example", async () => {
		const { hash, password } = firebase;
		expect(await verify({ hash, password })).toBe(true);
		expect(await verify({ hash, password: "user1Password" })).toBe(false);
		expect(await verify({ hash: hash.replace("42xE", "42xF"), password })).toBe(false);
	});

	it.each(["", "$", "42xEC+ixf3L2lw==", "42xEC+ixf3L2lw==$", "no$base64!"])(
		"rejects the broken hash %j",
		async (hash) => {
			expect(await verify({ hash, password: firebase.password })).toBe(false);
			expect(await verify({ hash, password: "" })).toBe(false);
		},
	);

	it.each([
		{ signerKey: "" },
		{ rounds: 0 },
		{ rounds: 17 },
		{ memCost: 17 },
		{ memCost: 1.5 },
		{ memCost: Number.NaN },
	])("refuses the parameters %j at the start", (wrong) => {
		expect(() => firebaseScrypt({ ...firebase.config, ...wrong })).toThrow("firebaseScrypt: ");
	});
});

describe("keycloakPbkdf2", () => {
	const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
	const salt = new TextEncoder().encode("sixteen bytes...");
	const { verify } = keycloakPbkdf2;

	it.each([
		["sha256", sha256, 32],
		["sha256", sha256, 64],
		["sha512", sha512, 64],
	])("verifies what another implementation makes with %s", async (digest, hasher, dkLen) => {
		const key = pbkdf2(hasher, "naïve", salt, { c: 1000, dkLen });
		const hash = `${digest}$1000$${base64(salt)}$${base64(key)}`;
		expect(await verify({ hash, password: "naïve" })).toBe(true);
		expect(await verify({ hash, password: "password" })).toBe(false);
	});

	it.each([
		["a short key", `sha256$1000$${base64(salt)}$QQ==`],
		["a long key", `sha256$1000$${base64(salt)}$${base64(new Uint8Array(65))}`],
		["too many iterations", `sha256$2000001$${base64(salt)}$${base64(new Uint8Array(32))}`],
		["no iterations", `sha256$0$${base64(salt)}$${base64(new Uint8Array(32))}`],
		["an unknown digest", `md5$1000$${base64(salt)}$${base64(new Uint8Array(32))}`],
		["nothing", ""],
	])("rejects %s without work", async (_, hash) => {
		expect(await verify({ hash, password: "password" })).toBe(false);
	});
});
