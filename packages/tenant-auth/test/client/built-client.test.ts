import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = new URL("../../../../", import.meta.url);
const dist = new URL("packages/tenant-auth/dist/", root);

/** Every module that the file at `url` imports at run time, and those that its own chunks import. */
function importsOf(url: URL): string[] {
	const source = readFileSync(url, "utf8");
	const found = source.matchAll(/(?:\bfrom|^import|\bimport\()\s*["']([^"']+)["']/gm);
	return [...found].flatMap(([, specifier = ""]) =>
		specifier.startsWith(".") ? importsOf(new URL(specifier, url)) : [specifier],
	);
}

describe("the built entries for the browser", () => {
	beforeAll(() => {
		execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
			cwd: fileURLToPath(root),
			stdio: "pipe",
		});
	});

	it.each([
		["client.mjs", ["@better-auth/core/utils/error-codes", "better-auth/client"]],
		["providers.mjs", []],
		["rules.mjs", []],
	])("import nothing of the server: %s", (file, imported) => {
		expect([...new Set(importsOf(new URL(file, dist)))]).toEqual(imported);
	});

	it("differ from the server, which imports a lot", () => {
		expect(importsOf(new URL("index.mjs", dist))).toEqual(
			expect.arrayContaining(["zod", "better-auth/api"]),
		);
	});

	it("run without the globals of Node", () => {
		const load = (file: string) => `await import(${JSON.stringify(new URL(file, dist).href)})`;
		// A global that a browser does not have, used while loading, would throw here.
		const program = `
			for (const name of ["process", "Buffer", "require"]) delete globalThis[name];
			${load("providers.mjs")};
			${load("rules.mjs")};
			const { tenantAuthClient } = ${load("client.mjs")};
			console.log(tenantAuthClient({ tenant: "a" }).id);
		`;
		const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
			encoding: "utf8",
		});
		expect(output.trim()).toBe("tenant-auth");
	});
});
