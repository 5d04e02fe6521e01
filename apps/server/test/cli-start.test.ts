import { expect, test } from "vitest";
import { loadedModules } from "./loaded-modules";

const load = (...args: string[]) =>
	loadedModules("apps/server/src/cli/main.ts", args, { runner: ["--import", "tsx"] });

test.each([
	{ args: ["--version"], code: 0 },
	{ args: ["--help"], code: 0 },
	{ args: ["user", "create", "--help"], code: 0 },
	{ args: ["doctor", "--of-line"], code: 2 },
	{ args: ["key", "create", "ci", "--scope", "auditor", "--expires-in", "x", "--json"], code: 2 },
])("tenant-auth $args loads nothing that commands work with", ({ args, code }) => {
	const loaded = load(...args);
	expect(loaded.code).toBe(code);
	expect(loaded.packages).toEqual(["commander"]);
	expect(loaded.files).toContain("apps/server/src/cli/commands/user.ts");
	expect(
		loaded.files.filter((file) => /\/(auth|cli\/(actions|doctor)\/.*)\.ts$/.test(file)),
	).toEqual([]);
});

test("a command that runs loads its own work", () => {
	const { files } = load("mail", "test", "ada@example.com", "--json");
	expect(files.filter((file) => file.includes("/cli/actions/"))).toEqual([
		"apps/server/src/cli/actions/mail.ts",
	]);
});
