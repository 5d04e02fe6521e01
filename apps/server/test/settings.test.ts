import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { readSettings, StartError } from "../src/settings";

const read = (environment: Record<string, string>) => readSettings(environment, "/srv/app");

test("an empty environment gives the defaults", () => {
	expect(read({})).toEqual({
		port: 3000,
		host: "127.0.0.1",
		baseUrl: null,
		secret: null,
		managementKeys: [],
		dataDir: resolve("/srv/app/data"),
	});
});

test("every setting is taken from its variable", () => {
	const settings = read({
		PORT: "8080",
		HOST: "0.0.0.0",
		BETTER_AUTH_URL: "https://auth.example.com/",
		BETTER_AUTH_SECRET: "s".repeat(32),
		MANAGEMENT_KEYS: "first-key-abcdef-123, second_key/ABC+def~456==",
		DATA_DIR: "../elsewhere",
	});
	expect(settings).toEqual({
		port: 8080,
		host: "0.0.0.0",
		baseUrl: "https://auth.example.com",
		secret: "s".repeat(32),
		managementKeys: ["first-key-abcdef-123", "second_key/ABC+def~456=="],
		dataDir: resolve("/srv/elsewhere"),
	});
});

test("a variable that is set but empty counts as missing", () => {
	const names = ["PORT", "HOST", "BETTER_AUTH_URL", "BETTER_AUTH_SECRET", "MANAGEMENT_KEYS"];
	const empty = Object.fromEntries([...names, "DATA_DIR"].map((name) => [name, " "]));
	expect(read(empty)).toEqual(read({}));
});

describe("one sentence names the setting that is wrong:", () => {
	const url = "BETTER_AUTH_URL must be an http or https address without a path";
	test.each([
		["PORT", "http", 'PORT must be a number from 0 to 65535, but it is "http".'],
		["PORT", "65536", 'PORT must be a number from 0 to 65535, but it is "65536".'],
		["PORT", "-1", 'PORT must be a number from 0 to 65535, but it is "-1".'],
		["PORT", "1e3", 'PORT must be a number from 0 to 65535, but it is "1e3".'],
		["HOST", "http://x", "HOST must be an address or a host name"],
		["BETTER_AUTH_URL", "auth.example.com", url],
		["BETTER_AUTH_URL", "localhost:3000", url],
		["BETTER_AUTH_URL", "ftp://auth.example.com", url],
		["BETTER_AUTH_URL", "https://auth.example.com/api/auth", url],
		["BETTER_AUTH_URL", "https://auth.example.com?x=1", url],
		["BETTER_AUTH_URL", "https://user:pass@auth.example.com", url],
		["BETTER_AUTH_SECRET", "short", "BETTER_AUTH_SECRET must have at least 32 characters"],
		["MANAGEMENT_KEYS", "long-enough-key-1234,", "MANAGEMENT_KEYS must be"],
		["MANAGEMENT_KEYS", "a key with spaces in it", "MANAGEMENT_KEYS must be"],
	])("%s=%s", (name, value, sentence) => {
		const attempt = () => read({ [name]: value });
		expect(attempt).toThrow(StartError);
		expect(attempt).toThrow(sentence);
		expect(attempt).not.toThrow("\n");
	});
});

test("a secret that is wrong is not repeated in the error", () => {
	expect(() => read({ BETTER_AUTH_SECRET: "hunter2" })).not.toThrow("hunter2");
	expect(() => read({ MANAGEMENT_KEYS: "hunter2" })).not.toThrow("hunter2");
	expect(() => read({ BETTER_AUTH_URL: "https://me:hunter2@example.com" })).not.toThrow("hunter2");
});
