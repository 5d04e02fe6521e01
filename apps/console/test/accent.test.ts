import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contrastOf, readableOn, visibleOn } from "../src/design/accent";

const surfaces = ["#ffffff", "#17191f"];
const anyColor = fc
	.integer({ min: 0, max: 0xffffff })
	.map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("a brand of any colour can be seen on either surface, and read where it is a link", () => {
	fc.assert(
		fc.property(anyColor, fc.constantFrom(...surfaces), (color, surface) => {
			expect(contrastOf(visibleOn(surface, color, 3), surface)).toBeGreaterThanOrEqual(3);
			expect(contrastOf(visibleOn(surface, color, 5.2), surface)).toBeGreaterThanOrEqual(5.2);
		}),
	);
});

test("what stands on a fill of any colour can be read", () => {
	fc.assert(
		fc.property(anyColor, (fill) => {
			expect(contrastOf(readableOn(fill), fill)).toBeGreaterThanOrEqual(4.5);
		}),
	);
});

test("a colour that can be seen as it is stays as it is", () => {
	expect(visibleOn("#ffffff", "#0f766e", 3)).toBe("#0f766e");
});
