import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";

const root = new URL("../../../", import.meta.url);
const dist = new URL("packages/tenant-auth/dist/", root);

/** Every module that the file at `url` imports at run time, and those that its own chunks import. */
function importsOf(url: URL): string[] {
	const source = readFileSync(url, "utf8");
	const found = source.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g);
	return [...found].flatMap(([, specifier = ""]) =>
		specifier.startsWith(".") ? importsOf(new URL(specifier, url)) : [specifier],
	);
}

describe("the built client", () => {
	beforeAll(() => {
		execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
			cwd: fileURLToPath(root),
			stdio: "pipe",
		});
	});

	it("imports nothing of the server", () => {
		expect(importsOf(new URL("client.mjs", dist))).toEqual(["@better-auth/core/utils/error-codes"]);
	});

	it("is told apart from the server, which imports a lot", () => {
		expect(importsOf(new URL("index.mjs", dist))).toEqual(
			expect.arrayContaining(["zod", "better-auth/api"]),
		);
	});

	it("runs where nothing of Node is", () => {
		// A global that a browser lacks, used while loading, would throw here.
		const program = `
			for (const name of ["process", "Buffer", "require"]) delete globalThis[name];
			const { tenantAuthClient } = await import(${JSON.stringify(new URL("client.mjs", dist).href)});
			console.log(tenantAuthClient({ tenant: "a" }).id);
		`;
		const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
			encoding: "utf8",
		});
		expect(output.trim()).toBe("tenant-auth");
	});
});
