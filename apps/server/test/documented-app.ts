import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../../../testing/ports";
import { password } from "./end-user";
import type { CreatedApplication } from "./running-issuers";
import type { PagesServer } from "./running-pages";

const page = readFileSync(fileURLToPath(new URL("../../../docs/apps.md", import.meta.url)), "utf8");

/** A block of docs/apps.md. */
export function textOfDocument(name: string): string {
	const [, text] = new RegExp(`^\`\`\`\\w+ ${name}\\n(.*?)^\`\`\`$`, "ms").exec(page) ?? [];
	if (!text) throw new Error(`docs/apps.md has no ${name}`);
	return text;
}

/** Writes a block of docs/apps.md into a file, next to the libraries that it imports. */
export function fileOfDocument(name: string): string {
	const parent = fileURLToPath(new URL("../node_modules/.documented", import.meta.url));
	mkdirSync(parent, { recursive: true });
	const directory = mkdtempSync(join(parent, "app-"));
	onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
	const file = join(directory, name);
	writeFileSync(file, textOfDocument(name));
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

/** The app of docs/apps.md, for a new tenant with one user. */
export async function withDocumentedApp(server: PagesServer, more: object = {}) {
	const tenant = await server.newTenant("Acme");
	await server.signUp(tenant, "ada@example.com", password);
	const port = await freePort();
	const origin = `http://localhost:${port}`;
	const application = await server.manage<CreatedApplication>("/application/create", {
		tenantId: tenant.id,
		name: "Notes",
		type: "web",
		redirectUris: [`${origin}/callback`],
		postLogoutRedirectUris: [`${origin}/`],
		...more,
	});
	await startDocumentedApp(port, `${server.baseUrl}/t/${tenant.slug}`, application);
	return { tenant, origin, application, hello: `Hello Ada Lovelace of tenant ${tenant.id}` };
}

async function stop(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null) return;
	// Not SIGKILL: nginx has to end its workers.
	child.kill("SIGTERM");
	await once(child, "exit");
}
