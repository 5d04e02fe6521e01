import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contrastOf, readableOn, replacedColors, visibleOn } from "../src/design/accent";

const SURFACES = ["#ffffff", "#17191f"];
const anyColor = fc
	.integer({ min: 0, max: 0xffffff })
	.map((value) => `#${value.toString(16).padStart(6, "0")}`);

test("any brand color is visible on both surfaces, and readable as a link", () => {
	fc.assert(
		fc.property(anyColor, fc.constantFrom(...SURFACES), (color, surface) => {
			expect(contrastOf(visibleOn(surface, color, 3), surface)).toBeGreaterThanOrEqual(3);
			expect(contrastOf(visibleOn(surface, color, 5.2), surface)).toBeGreaterThanOrEqual(5.2);
		}),
	);
});

test("text on a button of any color is readable", () => {
	fc.assert(
		fc.property(anyColor, (fill) => {
			expect(contrastOf(readableOn(fill), fill)).toBeGreaterThanOrEqual(4.5);
		}),
	);
});

test("a color that is visible does not change", () => {
	expect(visibleOn("#ffffff", "#0f766e", 3)).toBe("#0f766e");
});

test("a warning names the themes in which a color is not used as it is", () => {
	expect(replacedColors("#0f766e")).toEqual([]);
	expect(replacedColors("#FFFF00")).toEqual([{ theme: "light", used: expect.any(String) }]);
	expect(replacedColors("#000000")).toEqual([{ theme: "dark", used: expect.any(String) }]);
	const [light] = replacedColors("#ffee00");
	expect(contrastOf(light?.used ?? "", "#ffffff")).toBeGreaterThanOrEqual(3);
});
