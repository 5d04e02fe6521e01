import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Block, blocksIn, pages, textOf } from "../../../../testing/pages";
import { services } from "../../../../testing/services";
import { variables } from "../../src/settings/variables";
import { temporaryDirectory } from "../temporary-directory";

const blocksOf = (...languages: string[]) =>
	pages.flatMap((page) =>
		blocksIn(textOf(page))
			.filter(({ language }) => languages.includes(language))
			.map((block): [string, Block] => [`${page}:${block.line}`, block]),
	);

const settings = Object.assign({}, ...Object.values(variables)) as Record<
	string,
	{ safeParse: (value: string) => { success: boolean } }
>;

it.each(blocksOf("json"))("the JSON of %s is valid", (_, { text }) => {
	expect(() => JSON.parse(text)).not.toThrow();
});

it.each(blocksOf("dotenv"))("the settings of %s exist, and accept the values", (_, { text }) => {
	for (const line of text.trim().split("\n")) {
		const [, name = "", value = ""] = /^(\w+)='?(.*?)'?$/.exec(line) ?? [];
		expect(Object.keys(settings)).toContain(name);
		// A value such as <new secret> is for the reader to replace.
		if (!value.includes("<")) expect(settings[name]?.safeParse(value).success).toBe(true);
	}
});

describe.skipIf(!services.nginx)("nginx", () => {
	it.each(blocksOf("nginx"))("accepts the configuration of %s", (_, { text }) => {
		const directory = temporaryDirectory();
		const file = join(directory, "nginx.conf");
		const server = /^server \{/m.test(text) ? text : `server {\nlisten 8080;\n${text}}\n`;
		// A port that needs no rights, and a host that exists.
		const http = server
			.replaceAll("listen 443", "listen 8443")
			.replaceAll("auth.example.com", "127.0.0.1");
		writeFileSync(
			file,
			`pid ${directory}/pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${http}}\n`,
		);
		const { stderr } = spawnSync(services.nginx ?? "", ["-t", "-p", directory, "-c", file], {
			encoding: "utf8",
		});
		expect(stderr).toContain("test is successful");
	});
});

it("finds the blocks", () => {
	expect(blocksOf("json").length).toBeGreaterThan(50);
	expect(blocksOf("dotenv").length).toBeGreaterThan(1);
	expect(blocksOf("nginx").length).toBeGreaterThan(1);
});
