import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory that is gone after the test. */
export function temporaryDirectory(): string {
	const directory = mkdtempSync(join(tmpdir(), "tenant-server-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}
