import { existsSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startServer } from "../src/server";
import { readSettings } from "../src/settings/settings";
import { StartError } from "../src/settings/start-error";
import { temporaryDirectory } from "./temporary-directory";

/** The message of a start that fails. */
async function startError(environment: Record<string, string>): Promise<string> {
	const error = await startServer(readSettings({ PORT: "0", ...environment }, "/")).then(
		() => null,
		(reason) => reason,
	);
	expect(error).toBeInstanceOf(StartError);
	return error.message;
}

test("a port that is taken stops the start with one sentence and creates nothing", async () => {
	const other = createServer().listen(0, "127.0.0.1");
	onTestFinished(() => void other.close());
	await new Promise((resolve) => other.once("listening", resolve));
	const { port } = other.address() as AddressInfo;
	const dataDir = join(temporaryDirectory(), "data");
	expect(await startError({ DATA_DIR: dataDir, PORT: String(port) })).toBe(
		`PORT ${port} is already in use on 127.0.0.1.`,
	);
	expect(existsSync(dataDir)).toBe(false);
});

test("an IP address of another machine stops the start with one sentence", async () => {
	expect(await startError({ DATA_DIR: temporaryDirectory(), HOST: "192.0.2.1" })).toBe(
		"HOST 192.0.2.1 cannot be used (EADDRNOTAVAIL).",
	);
});

test("a file that is not a database stops the start with one sentence", async () => {
	const dataDir = temporaryDirectory();
	writeFileSync(join(dataDir, "auth.db"), "this is not a database file\n".repeat(99));
	expect(await startError({ DATA_DIR: dataDir })).toBe(
		"The database in DATA_DIR cannot be used: file is not a database",
	);
});

test("a DATA_DIR that cannot be created stops the start with one sentence", async () => {
	expect(await startError({ DATA_DIR: "/proc/nope/data" })).toMatch(
		/^DATA_DIR cannot be created at \/proc\/nope\/data \(E[A-Z]+\)\.$/,
	);
	const file = join(temporaryDirectory(), "file");
	writeFileSync(file, "");
	expect(await startError({ DATA_DIR: join(file, "data") })).toMatch(/^DATA_DIR cannot be created/);
});
