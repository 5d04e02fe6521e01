import { describe, expect, it } from "vitest";
import { strengthOf } from "../src/ui/password-strength";

const strength = (password: string, personal: string[] = []) => strengthOf(password, 8, personal);

// cspell:disable
describe("the strength of a new password", () => {
	it.each(["a", "1234567", "häslich"])("is too short for %s", (password) => {
		expect(strength(password)).toBe("short");
	});

	it.each(["aaaaaaaaaaaa", "abcabcabcabc", "12121212", "ababababc", "xxyyxxyyxyx"])(
		"is that of a repetition for %s",
		(password) => {
			expect(strength(password)).toBe("repeated");
		},
	);

	it.each([
		["lovelace1", ["Ada Lovelace"]],
		["Lovelace-2026", ["Ada Lovelace", "a@b.example"]],
		["globexcorp", ["", "ada@globexcorp.example"]],
		["ada.lovelace", ["", "ada.lovelace@acme.example"]],
	])("is that of a name for %s", (password, personal) => {
		expect(strength(password, personal)).toBe("personal");
	});

	it("is that of the rest for a long password with a name in it", () => {
		expect(strength("ada-likes-cold-trains", ["Ada Lovelace"])).toBe("good");
	});

	it.each([
		"password",
		"Password123!",
		"PASSWORD2026",
		"qwertyuiop",
		"123456789",
		"987654321abc",
		"iloveyou12",
		"asdfghjkl1",
		"letmein2026",
		"abcdefgh",
		"qwerty1234567890",
	])("is that of a frequent one for %s", (password) => {
		expect(strength(password)).toBe("common");
	});

	it.each(["vault-lamp", "Xk7vault", "tr4mstop!"])("is fair for %s", (password) => {
		expect(strength(password)).toBe("fair");
	});

	it.each(["correct horse battery", "Xk7-vault-lamp", "鳥が空を飛ぶ朝に歩いていく"])(
		"is good for %s",
		(password) => {
			expect(strength(password)).toBe("good");
		},
	);

	it("looks at a long password in little time", () => {
		const word = Array.from({ length: 128 }, (_, n) => String.fromCharCode(97 + ((n * 7) % 26)));
		expect(strengthOf(word.join(""), 8, [word.join(" ")])).toBe("good");
	});

	it("follows the policy of the tenant", () => {
		expect(strengthOf("vault-lamp-7", 14, [])).toBe("short");
		expect(strengthOf("vault-lamp-7", 12, [])).toBe("good");
	});
});
