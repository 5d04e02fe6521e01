import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A directory that is deleted after the test, or when `atTheEnd` runs its cleanup. */
export function temporaryDirectory(atTheEnd: (clean: () => void) => void = onTestFinished): string {
	const directory = mkdtempSync(join(tmpdir(), "tenant-server-"));
	atTheEnd(() => rmSync(directory, { recursive: true, force: true }));
	return directory;
}
