import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DATABASES, type Database, type DatabaseKind, databaseName } from "./databases";
import { FRAMEWORKS, type Framework } from "./frameworks";
import { type Manifest, manifestOf } from "./manifest";
import { readmeOf } from "./readme";

/** The content of each file, by its path in the app. */
export type Files = Map<string, string | Buffer>;

export interface App {
	name: string;
	framework: Framework;
	database: Database;
}

/**
 * The files of the template, with the database, the versions and the secret of a new app.
 *
 * @param resources the folder with `templates` and `databases`
 */
export function filesOf({ name, framework, database }: App, resources: URL): Files {
	const folder = (path: string) => fileURLToPath(new URL(path, resources));
	const files = readFolder(folder(`templates/${framework}`));
	const kind: DatabaseKind = DATABASES[database];
	const change = (path: string, change: (text: string) => string) =>
		files.set(path, change(String(files.get(path))));
	const replaced: Files = new Map([
		...readFolder(folder(`databases/${database}`)),
		...readFolder(folder(`databases/${database}.${framework}`)),
	]);
	const more: Manifest = JSON.parse(String(replaced.get("package.json") ?? "{}"));
	replaced.delete("package.json");
	const importsFiles = String(files.get("src/auth.ts")).includes('"./options.js"');
	for (const [path, content] of replaced) {
		files.set(path, importsFiles ? content : withoutExtensions(String(content)));
	}
	change("package.json", (text) => manifestOf(JSON.parse(text), name, kind, more));
	change("README.md", (text) => readmeOf(text, name, FRAMEWORKS[framework], kind));
	files.set(".gitignore", GITIGNORE);
	files.set(".env", environmentOf(name, kind));
	return files;
}

/** Bundlers do not find `./auth-schema.ts` under the name `./auth-schema.js`, which Node needs. */
const withoutExtensions = (text: string) => text.replaceAll(/(?<= from "\.\/[^"]+)\.js(?=")/g, "");

/** A folder that does not exist has no files. */
function readFolder(folder: string): Files {
	if (!existsSync(folder)) return new Map();
	const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
	return new Map(
		entries
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join(parentPath, name))
			.map((path) => [path.slice(folder.length + 1).replaceAll("\\", "/"), readFileSync(path)]),
	);
}

function environmentOf(name: string, { server }: DatabaseKind): string {
	const secret = `BETTER_AUTH_SECRET=${randomBytes(32).toString("base64")}\n`;
	if (!server) return secret;
	return `${secret}# ${server.label}. Add the user and the password of yours: user:password@localhost
DATABASE_URL=${server.url(databaseName(name))}
`;
}

/** Not a file of the template: npm leaves such files out of packages. */
const GITIGNORE = `node_modules
.env
*.db
*.db-*
dist
build
.next
next-env.d.ts
.svelte-kit
*.tsbuildinfo
`;
