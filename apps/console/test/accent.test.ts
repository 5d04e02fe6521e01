import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyAccent, contrastOf, readableOn, visibleOn } from "../src/design/accent";

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

/** The properties that a color sets. */
function propertiesOf(color: string | undefined): Record<string, string> {
	const set: Record<string, string> = { "--fill": "of the tenant before" };
	const style = {
		setProperty: (name: string, value: string) => {
			set[name] = value;
		},
		removeProperty: (name: string) => {
			delete set[name];
		},
	};
	applyAccent(color, { style } as unknown as HTMLElement);
	return set;
}

test("buttons have exactly the brand color, and the color of their text follows", () => {
	expect(propertiesOf("#ffd400")).toMatchObject({ "--fill": "#ffd400", "--on-fill": "#000000" });
	expect(propertiesOf("#0f766e")).toMatchObject({ "--fill": "#0f766e", "--on-fill": "#ffffff" });
});

test("the edge of a button and marks can be seen in both themes", () => {
	fc.assert(
		fc.property(anyColor, (color) => {
			const set = propertiesOf(color);
			for (const [theme, surface] of [
				["light", "#ffffff"],
				["dark", "#17191f"],
			] as const) {
				expect(contrastOf(set[`--edge-${theme}`] ?? "", surface)).toBeGreaterThanOrEqual(1.5);
				expect(contrastOf(set[`--mark-${theme}`] ?? "", surface)).toBeGreaterThanOrEqual(3);
			}
		}),
	);
});

test("without a brand color, the page has its own again", () => {
	expect(propertiesOf(undefined)).toEqual({});
});
