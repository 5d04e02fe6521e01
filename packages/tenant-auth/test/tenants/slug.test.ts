import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { TEST_ALL } from "../../../../testing/services";
import { type Instance, makeInstance } from "../support/worlds/instance";

const LETTERS = [..."abcdefghijklmnopqrstuvwxyz0123456789"];

/** The documented rules, written independently of the plugin. */
function isSlug(text: string): boolean {
	const characters = [...text];
	return (
		characters.length >= 2 &&
		characters.length <= 63 &&
		characters.every((character) => LETTERS.includes(character) || character === "-") &&
		characters[0] !== "-" &&
		!text.startsWith("--", 2) &&
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

	it.each(["xn--cme-5cd", "ab--c"])(
		"does not look like a name in another script: %s",
		async (slug) => {
			const { status, body } = await instance.manage("/tenant/create", {
				body: { name: "Any", slug },
			});
			expect([status, body.code]).toEqual([400, "INVALID_SLUG"]);
		},
	);

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
			{ numRuns: TEST_ALL ? 400 : 150 },
		);
	});
});
