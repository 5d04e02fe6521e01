import { expect, test } from "vitest";
import { passwordHashing } from "../src/password-hashing";

test("a password is verified against its hash and no other is", async () => {
	const { hash, verify } = passwordHashing();
	const hashed = await hash("correct horse battery");
	expect(await verify({ hash: hashed, password: "correct horse battery" })).toBe(true);
	expect(await verify({ hash: hashed, password: "correct horse" })).toBe(false);
});

test("more hashes than threads all finish, in order of arrival", async () => {
	const { hash } = passwordHashing(2);
	const finished: number[] = [];
	const hashes = [1, 2, 3, 4].map((n) => hash(`password ${n}`).then(() => finished.push(n)));
	await Promise.all(hashes);
	expect(finished).toEqual([1, 2, 3, 4]);
});

test("a hash that fails makes way for the next", async () => {
	const { hash, verify } = passwordHashing(2);
	const broken = verify({ hash: "no hash at all", password: "x" });
	const next = hash("correct horse battery");
	await expect(broken).rejects.toThrow();
	expect(await next).toContain(":");
});
