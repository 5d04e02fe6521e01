import { readFileSync } from "node:fs";
import { DATABASES, type DatabaseKind } from "./databases";

type Versions = Record<string, string>;

export interface Manifest {
	name?: string;
	version?: string;
	scripts?: Record<string, string>;
	dependencies?: Versions;
	devDependencies?: Versions;
}

const own: Manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

const databasePackages = Object.values(DATABASES).flatMap(({ packages }) => packages);

/**
 * The package.json of an app: that of its template, with the packages of its database only.
 *
 * @param more that of the database: tools that only its scripts need
 */
export function manifestOf(
	template: Manifest,
	name: string,
	{ packages }: DatabaseKind,
	more: Manifest,
): string {
	// We compile the other files for the database with the packages in our own devDependencies.
	const versions = { ...own.devDependencies, ...more.devDependencies, ...template.dependencies };
	const added = packages.map((name) => [name, versions[name] ?? "latest"] as const);
	const isForDevelopment = (name: string) =>
		name.startsWith("@types/") || name in (more.devDependencies ?? {});
	const dependencies = Object.fromEntries([
		...Object.entries(template.dependencies ?? {}).filter(([name]) => isKept(name)),
		...added.filter(([name]) => !isForDevelopment(name)),
		// Both packages always have the same version.
		["better-auth-tenant", `^${own.version}`],
	]);
	const devDependencies = Object.fromEntries([
		...Object.entries(template.devDependencies ?? {}).filter(([name]) => isKept(name)),
		...added.filter(([name]) => isForDevelopment(name)),
	]);
	const manifest: Manifest = {
		...template,
		name,
		scripts: { ...template.scripts, ...more.scripts },
		dependencies: sorted(dependencies),
		devDependencies: sorted(devDependencies),
	};
	return `${JSON.stringify(manifest, null, 2)}\n`;
}

const isKept = (name: string) => !databasePackages.includes(name);

const sorted = (versions: Versions): Versions =>
	Object.fromEntries(Object.entries(versions).sort(([one], [other]) => (one < other ? -1 : 1)));
