import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const page = readFileSync(new URL("../../../../docs/how-it-works.md", import.meta.url), "utf8");
const source = fileURLToPath(new URL("../../src", import.meta.url));
const textOf = (path: string) => readFileSync(join(source, path), "utf8");

describe("docs/how-it-works.md", () => {
	it("names files that exist", () => {
		// The table of the installation names its files without the folder.
		const paths = [...page.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path = ""]) => path);
		const exists = (path: string) =>
			[path, join("installation", path), join("..", path)].some((it) =>
				existsSync(join(source, it)),
			);
		expect(paths.length).toBeGreaterThan(100);
		expect(paths.filter((path) => !exists(path))).toEqual([]);
	});

	it("names functions that are in the file beside them", () => {
		const places = [...page.matchAll(/`(\w+)` (?:\(|in )`([\w/-]+\.ts)`/g)];
		const missing = places.filter(
			([, name, path = ""]) => !new RegExp(`\\b${name}\\b`).test(textOf(path)),
		);
		expect(places.length).toBeGreaterThan(60);
		expect(missing.map(([text]) => text)).toEqual([]);
	});

	it("walks through a sign-in with fifteen files", () => {
		const [, walk = ""] = page.split("### `POST /tenant/sign-in/email`\n");
		const [steps = ""] = walk.split("\nThese are 15 files.");
		const files = new Set([...steps.matchAll(/`([\w/-]+\.ts)`/g)].map(([, path]) => path));
		expect(files.size).toBe(15);
	});
});
