import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Instance, makeInstance } from "../support/instance";
import { TEST_FULL } from "../support/variations";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** The documented rules, written independently of the plugin. */
function isSlug(text: string): boolean {
	const characters = [...text];
	return (
		characters.length >= 2 &&
		characters.length <= 63 &&
		characters.every((character) => LETTERS.includes(character) || character === "-") &&
		characters[0] !== "-" &&
		characters.at(-1) !== "-"
	);
}

describe("a slug", () => {
	let instance: Instance;

	beforeAll(async () => {
		instance = await makeInstance();
	});

	const nearSlugs = fc
		.array(
			fc.oneof(
				{ weight: 20, arbitrary: fc.constantFrom(...LETTERS) },
				{ weight: 3, arbitrary: fc.constant("-") },
				{
					weight: 1,
					arbitrary: fc.constantFrom("A", "_", ".", " ", "\n", "é", "ß", "０", "\u0000"),
				},
			),
			{ minLength: 0, maxLength: 66 },
		)
		.map((characters) => characters.join(""));

	it("has 2 to 63 lowercase letters, digits and hyphens, and no hyphen at either end", async () => {
		await fc.assert(
			fc.asyncProperty(fc.oneof(nearSlugs, fc.string({ unit: "binary" })), async (slug) => {
				const { status, body } = await instance.manage("/tenant/create", {
					body: { name: "Any", slug },
				});
				if (!isSlug(slug)) {
					expect([status, body.code]).toEqual([400, "INVALID_SLUG"]);
				} else if (status === 200) {
					expect(body.slug).toBe(slug);
				} else {
					expect(["SLUG_RESERVED", "TENANT_ALREADY_EXISTS"]).toContain(body.code);
				}
			}),
			{ numRuns: TEST_FULL ? 400 : 150 },
		);
	});
});
