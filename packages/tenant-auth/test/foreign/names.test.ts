import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { FOREIGN } from "../../src/call/foreign";
import { core } from "../../src/call/foreign/core";
import type { ForeignPlugin } from "../../src/call/foreign/foreign-plugin";
import { tablesOf } from "./tables-of";

const source = join(import.meta.dirname, "../../src");

/** Names that mean something else there. */
const OTHER_MEANINGS: Readonly<Record<string, Readonly<Record<string, string[]>>>> = {
	"a role": {
		admin: [
			"management/access/roles.ts",
			"management/users/managed-users.ts",
			"conformance/party.ts",
		],
	},
	"a way to sign in": {
		"two-factor": ["management/events/report-sign-in.ts"],
		sso: ["management/events/report-sign-in.ts"],
	},
	"a column of an account": {
		oauthClient: [
			"schema.ts",
			"management/oauth-clients/account-issuer.ts",
			"features/imports/import-writer.ts",
		],
	},
	"a field of an imported user": { username: ["features/imports/plugin-fields.ts"] },
	"a part of a social provider": { jwks: ["management/oauth-clients/guarded-provider.ts"] },
};

const plugins = [core, ...FOREIGN.values()];

const pathsOf = ({ paths = {}, impersonationPaths = [] }: ForeignPlugin) => [
	...Object.keys(paths),
	...impersonationPaths,
];

const tables = new Set(plugins.flatMap(tablesOf));
const names = new Set([...FOREIGN.keys(), ...plugins.flatMap(pathsOf), ...tables]);

/** The texts of a file, and the tables that are keys of an object. */
function namesIn(file: string): string[] {
	const code = readFileSync(join(source, file), "utf8")
		.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "")
		.replaceAll(/(?<=\bfrom )"[^"]*"/g, "");
	const texts = [...code.matchAll(/(["'`])([^"'`\n]*)\1/g)].map(([, , text = ""]) => text);
	const keys = [...code.matchAll(/(?:[{,]\s*|\btables\.)(\w+)/g)].map(([, key = ""]) => key);
	return [...texts.filter((it) => names.has(it)), ...keys.filter((it) => tables.has(it))];
}

const hasOtherMeaning = (file: string, name: string) =>
	Object.values(OTHER_MEANINGS).some((meaning) => meaning[name]?.includes(file));

describe("the folder foreign", () => {
	const files = readdirSync(source, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.map((file) => file.replaceAll("\\", "/"));

	it("is the only one that names paths, tables and ids of other plugins", () => {
		const others = files.filter(
			(file) => !/^(call\/foreign\/|features\/imports\/(organization-|move\.ts))/.test(file),
		);
		const found = notEmpty(others).flatMap((file) =>
			namesIn(file)
				.filter((name) => !hasOtherMeaning(file, name))
				.map((name) => `${file}: ${name}`),
		);
		expect(found).toEqual([]);
	});

	it("has no exception that is not needed", () => {
		const needed = Object.values(OTHER_MEANINGS).flatMap((meaning) =>
			Object.entries(meaning).flatMap(([name, files]) =>
				files.filter((file) => !namesIn(file).includes(name)),
			),
		);
		expect(needed).toEqual([]);
	});

	it("finds the names in its own files", () => {
		const found = new Set(files.filter((it) => it.startsWith("call/foreign/")).flatMap(namesIn));
		expect([...names].filter((name) => !found.has(name))).toEqual([]);
	});

	it("says each thing about a path once", () => {
		const paths = plugins.flatMap(({ paths = {} }) => Object.keys(paths));
		expect(paths.length).toBe(new Set(paths).size);
		expect(FOREIGN.has(core.id)).toBe(false);
	});
});
