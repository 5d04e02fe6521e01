import { chmodSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadSecrets } from "../src/settings/generated-secrets";
import { readSettings } from "../src/settings/settings";
import { temporaryDirectory } from "./temporary-directory";

const load = (dataDir: string, environment: Record<string, string> = {}) =>
	loadSecrets(readSettings({ ...environment, DATA_DIR: dataDir }, "/"));

const modeOf = (path: string) => statSync(path).mode & 0o777;

const givenSecret = { BETTER_AUTH_SECRET: "given".repeat(10) };
const givenKeys = { MANAGEMENT_KEYS: "given-management-key" };

test("missing secrets are generated once, and only this start reports the new key", () => {
	const dataDir = join(temporaryDirectory(), "deep", "data");
	const first = load(dataDir);
	expect(first.secret).toHaveLength(43);
	expect(first.managementKeys).toEqual([first.newManagementKey]);
	expect(first.secret).not.toBe(first.newManagementKey);

	const second = load(dataDir);
	expect(second).toEqual({ ...first, newManagementKey: null });
});

test("only the user who runs the server can read the file", () => {
	const dataDir = join(temporaryDirectory(), "data");
	const { file } = load(dataDir);
	expect(modeOf(dataDir)).toBe(0o700);
	expect(modeOf(file)).toBe(0o600);
	expect(readdirSync(dataDir)).toEqual(["secrets.json"]);
});

test("a file that others could read is made private", () => {
	const dataDir = temporaryDirectory();
	const { file } = load(dataDir);
	chmodSync(file, 0o644);
	load(dataDir);
	expect(modeOf(file)).toBe(0o600);
});

test("nothing is stored if all secrets are in the settings", () => {
	const dataDir = temporaryDirectory();
	const secrets = load(dataDir, { ...givenSecret, ...givenKeys });
	expect(secrets.secret).toBe(givenSecret.BETTER_AUTH_SECRET);
	expect(secrets.managementKeys).toEqual(["given-management-key"]);
	expect(secrets.newManagementKey).toBeNull();
	expect(readdirSync(dataDir)).toEqual([]);
});

test("secrets in the settings override stored ones, which are kept", () => {
	const dataDir = temporaryDirectory();
	const stored = load(dataDir);
	const given = load(dataDir, { ...givenSecret, ...givenKeys });
	expect(given.secret).toBe(givenSecret.BETTER_AUTH_SECRET);
	expect(given.managementKeys).toEqual(["given-management-key"]);
	expect(load(dataDir)).toEqual({ ...stored, newManagementKey: null });
});

test("a management key that is removed from the settings later is generated and reported", () => {
	const dataDir = temporaryDirectory();
	const { secret } = load(dataDir, givenKeys);
	const later = load(dataDir);
	expect(later.secret).toBe(secret);
	expect(later.newManagementKey).toHaveLength(43);
});

test.each(["", "{", "[]x", "null", '{"betterAuthSecret":"short"}', '{"managementKey":7}'])(
	"a damaged file (%s) stops the start and is not replaced",
	(content) => {
		const dataDir = temporaryDirectory();
		writeFileSync(join(dataDir, "secrets.json"), content);
		expect(() => load(dataDir)).toThrow(/^DATA_DIR contains .*, which cannot be read/);
	},
);

test("an error names a data directory that cannot be created", () => {
	const file = join(temporaryDirectory(), "file");
	writeFileSync(file, "");
	expect(() => load(file)).toThrow(`DATA_DIR cannot be created at ${file} (EEXIST).`);
});
