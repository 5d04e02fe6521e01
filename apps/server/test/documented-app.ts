import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import type { CreatedApplication } from "./running-issuers";

const page = readFileSync(fileURLToPath(new URL("../../../docs/apps.md", import.meta.url)), "utf8");

/** Writes a block of docs/apps.md into a file, next to the libraries that it imports. */
export function fileOfDocument(name: string): string {
	const [, text] = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
	if (!text) throw new Error(`docs/apps.md has no ${name}`);
	const parent = fileURLToPath(new URL("../node_modules/.documented", import.meta.url));
	mkdirSync(parent, { recursive: true });
	const directory = mkdtempSync(join(parent, "app-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	const file = join(directory, name);
	writeFileSync(file, text);
	return file;
}

/** Runs the app of docs/apps.md on a port. Users return to `/callback`. */
export const startDocumentedApp = (
	port: number,
	issuer: string,
	{ clientId, clientSecret }: CreatedApplication,
): Promise<void> =>
	startApp(process.execPath, [fileOfDocument("app.mjs")], port, {
		ISSUER: issuer,
		CLIENT_ID: clientId,
		CLIENT_SECRET: clientSecret ?? "",
		REDIRECT_URI: `http://localhost:${port}/callback`,
		PORT: String(port),
	});

/** Runs a program, and waits until it answers on its port. */
export async function startApp(
	program: string,
	args: string[],
	port: number,
	environment: Record<string, string> = {},
): Promise<void> {
	const child = spawn(program, args, {
		env: { PATH: process.env.PATH, ...environment },
		stdio: ["ignore", "inherit", "inherit"],
	});
	onTestFinished(() => stop(child));
	const answers = () =>
		fetch(`http://localhost:${port}`).then(
			() => true,
			() => false,
		);
	await expect.poll(answers).toBe(true);
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null) return;
	// Not SIGKILL: nginx has to end its workers.
	child.kill("SIGTERM");
	await once(child, "exit");
}
