import { expect, it } from "vitest";
import { parse } from "yaml";
import { notEmpty } from "../../../../testing/not-empty";
import { variables } from "../../src/settings/variables";
import { blocksOf } from "./page-blocks";

const settings = Object.assign({}, ...Object.values(variables)) as Record<
	string,
	{ safeParse: (value: string) => { success: boolean } }
>;

it.each(blocksOf("json"))("the JSON of %s is valid", (_, { text }) => {
	expect(() => JSON.parse(text)).not.toThrow();
});

it.each(blocksOf("dotenv"))("the settings of %s exist, and accept the values", (_, { text }) => {
	for (const line of notEmpty(text.trim().split("\n"))) {
		const [, name = "", value = ""] = /^(\w+)='?(.*?)'?$/.exec(line) ?? [];
		expect(Object.keys(settings)).toContain(name);
		// A value such as <new secret> is for the reader to replace.
		if (!value.includes("<")) expect(settings[name]?.safeParse(value).success).toBe(true);
	}
});

it.each(blocksOf("yaml"))("the YAML of %s is valid", (_, { text }) => {
	expect(parse(text)).toEqual(expect.any(Object));
});

it("finds the blocks", () => {
	expect(blocksOf("yaml").length).toBeGreaterThan(2);
	expect(blocksOf("json").length).toBeGreaterThan(50);
	expect(blocksOf("dotenv").length).toBeGreaterThan(1);
});
