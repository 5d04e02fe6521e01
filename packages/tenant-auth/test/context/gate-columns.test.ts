import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const source = new URL("../../src/", import.meta.url);

/** They declare the columns, write them, or show them. */
const ALLOWED = [
	"call/context/gate.ts",
	// The lock reads and locks the columns at once, and lets the gate judge.
	"call/context/tenant-locks.ts",
	"call/context/tenant.ts",

	"schema.ts",
	// An imported tenant is suspended. When, says which file it is from.
	"features/imports/tenant-file/tenant-row.ts",
	"management/tenants/store.ts",
	"management/tenants/tenant.ts",
];

it("only the gate reads whether a tenant is suspended or being deleted", () => {
	const files = readdirSync(source, { recursive: true, encoding: "utf8" });
	const readers = files.filter(
		(file) =>
			file.endsWith(".ts") &&
			/suspendedAt|erasingSince/.test(readFileSync(new URL(file, source), "utf8")),
	);
	expect(readers.sort()).toEqual(ALLOWED.sort());
});
