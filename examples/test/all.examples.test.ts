import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { notEmpty } from "../../testing/not-empty";
import { services } from "../../testing/services";
import { findTypeErrors } from "./running-example";

const folder = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(folder, "../docs/examples.md"), "utf8");

/** An app of the service. It uses no package of ours, and docs/first-app.md says how to start it. */
const APP_OF_THE_SERVICE = "openid-app";

const OURS = ["better-auth-tenant", "better-auth-tenant-server"];

/** Their builds write types. So their suites check them, after the build. `next build` does it itself. */
const CHECKED_AFTER_BUILD = ["next", "nuxt", "tanstack-start"];

const examples = readdirSync(folder).filter((name) =>
	existsSync(join(folder, name, "package.json")),
);
const own = examples.filter((name) => name !== APP_OF_THE_SERVICE);

const read = (name: string, file: string) => readFileSync(join(folder, name, file), "utf8");

test("docs/examples.md lists every example", () => {
	const listed = [...page.matchAll(/^\| \[[^\]]+\]\(\.\.\/examples\/([^/)]+)/gm)];
	expect(listed.map(([, name]) => name).sort()).toEqual(examples);
});

test("apps beside the service start it with the same file", () => {
	const files = ["go-api", "html-page", "python-api"].map((name) => read(name, "service.mjs"));
	expect(new Set(files).size).toBe(1);
});

describe.each(own)("examples/%s", (name) => {
	const manifest: {
		scripts?: Record<string, string>;
		dependencies?: Record<string, string>;
		devDependencies?: Record<string, string>;
	} = JSON.parse(read(name, "package.json"));

	test("has a short README that begins with the command", () => {
		const lines = read(name, "README.md").trimEnd().split("\n");
		expect(lines.length).toBeLessThanOrEqual(15);
		const command = lines[lines.indexOf("```sh") + 1]?.replace(/ *#.*/, "");
		expect(command).toBe(`npm run example ${name}`);
		expect(page).toContain(`\`${command}\``);
	});

	test("starts with one command", () => {
		expect(manifest.scripts).toHaveProperty("start");
	});

	test("names the version of each package, and the latest of ours", () => {
		const used = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
		const ours = used.filter(([dependency]) => OURS.includes(dependency));
		expect(ours.map(([, version]) => version)).toEqual(["latest"]);
		for (const [dependency, version] of notEmpty(used)) {
			if (OURS.includes(dependency)) continue;
			expect([dependency, version]).toEqual([dependency, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
		}
	});

	test("has a suite", () => {
		expect(existsSync(join(folder, "test", `${name}.examples.test.ts`))).toBe(true);
	});

	if (existsSync(join(folder, name, "tsconfig.json")) && !CHECKED_AFTER_BUILD.includes(name)) {
		test.skipIf(!services.examples)("has no type errors", () => {
			expect(findTypeErrors(name)).toBe("");
		});
	}
});

test("examples that use the same package use the same version", () => {
	const versions = new Map<string, Set<string>>();
	for (const name of own) {
		const { dependencies, devDependencies } = JSON.parse(read(name, "package.json"));
		for (const [dependency, version] of Object.entries({ ...dependencies, ...devDependencies })) {
			versions.set(dependency, (versions.get(dependency) ?? new Set()).add(String(version)));
		}
	}
	expect([...versions].filter(([, used]) => used.size > 1)).toEqual([]);
});
