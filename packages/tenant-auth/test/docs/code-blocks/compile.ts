import { execFileSync, spawnSync } from "node:child_process";
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { type Block, blocksIn, pages, root, textOf } from "../../../../../testing/pages";
import { filesIn } from "./blocks";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const QUICK_START = "docs/quick-start.md";

const folderOf = (page: string) => page.replace(/\.md$/, "").replaceAll("/", "-");

/** Names that `given.ts` exports. */
const given = [
	...textOf("packages/tenant-auth/test/docs/code-blocks/given.ts").matchAll(
		/^export (?:declare )?const (\w+)|^export \* as (\w+)|^export \{([^}]+)\}/gm,
	),
].flatMap(([, constant, namespace, list]) =>
	list ? list.split(",").map((name) => name.trim()) : [constant ?? namespace ?? ""],
);

/** What every page may import: the files of the quick start, and what pages leave to the app. */
const sharedFiles = [
	...filesIn(textOf(QUICK_START)).map(({ name }) => [folderOf(QUICK_START), name] as const),
	...readdirSync(here("app")).map((name) => ["app", name] as const),
];

const compilerOptions = {
	strict: true,
	// With declarations, each exported type must have a name that the app can import.
	composite: true,
	exactOptionalPropertyTypes: true,
	noUncheckedIndexedAccess: true,
	verbatimModuleSyntax: true,
	// The projects of this repository use "bundler".
	module: "nodenext",
	target: "es2022",
	lib: ["es2022", "dom", "dom.iterable"],
	jsx: "react-jsx",
	outDir: "compiled",
	skipLibCheck: true,
	types: ["node"],
};

/**
 * Compiles all blocks of TypeScript against the built package, each page in a folder of its own, next
 * to a larger app. Returns what the compiler says.
 */
export function compileBlocks(exempt: (page: string, block: Block) => boolean): string {
	// The package as it would be installed: built.
	execFileSync(process.execPath, ["scripts/ready.mjs", "--no-install"], {
		cwd: root,
		stdio: "pipe",
	});
	const folder = mkdtempSync(join(tmpdir(), "code-blocks-"));
	try {
		symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
		writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
		writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
		cpSync(here("strict-app"), join(folder, "strict-app"), { recursive: true });
		cpSync(here("app"), join(folder, "app"), { recursive: true });
		cpSync(here("given.ts"), join(folder, "given.ts"));
		for (const page of pages) writePage(folder, page, exempt);
		const tsc = join(root, "node_modules/typescript/bin/tsc");
		return spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" }).stdout;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function writePage(folder: string, page: string, exempt: (page: string, block: Block) => boolean) {
	const blocks = blocksIn(textOf(page)).filter(
		(block) => /^tsx?$/.test(block.language) && !exempt(page, block),
	);
	if (blocks.length === 0) return;
	const place = join(folder, folderOf(page));
	mkdirSync(place);
	for (const [from, name] of sharedFiles) {
		if (from === folderOf(page)) continue;
		const module = `../${from}/${name.replace(/ts$/, "js")}`;
		writeFileSync(join(place, name), `export * from "${module}";`);
	}
	for (const block of blocks) {
		const name = block.name ?? `line-${block.line}.${block.language}`;
		const text = block.name ? block.text : completed(page, block);
		mkdirSync(join(place, name, ".."), { recursive: true });
		writeFileSync(join(place, name), text);
	}
}

/** A short block with the imports that it does not show. */
function completed(page: string, block: Block): string {
	const text = page === "docs/reference/options.md" ? asOptions(block) : block.text;
	const declared = declaredIn(text);
	const names = given.filter((name) => {
		const isUsed = new RegExp(`(?<!(?<!\\.\\.)\\.|[\\w"/-])${name}\\b(?!["/:-])`).test(text);
		return isUsed && !declared.includes(name);
	});
	return `import { ${names.join(", ")} } from "../given.js";\n${text}\nexport {};\n`;
}

/** The names that a block declares or imports itself, outside of its functions. */
function declaredIn(text: string): string[] {
	const source = ts.createSourceFile("block.tsx", text, ts.ScriptTarget.Latest);
	const namesOf = (name: ts.BindingName): string[] =>
		ts.isIdentifier(name)
			? [name.text]
			: name.elements.flatMap((it) => (ts.isBindingElement(it) ? namesOf(it.name) : []));
	return source.statements.flatMap((statement) => {
		if (ts.isVariableStatement(statement)) {
			return statement.declarationList.declarations.flatMap(({ name }) => namesOf(name));
		}
		if (ts.isFunctionDeclaration(statement)) return statement.name?.text ?? [];
		if (!ts.isImportDeclaration(statement)) return [];
		const { name, namedBindings } = statement.importClause ?? {};
		const named = namedBindings && ts.isNamedImports(namedBindings) ? namedBindings.elements : [];
		return [name?.text ?? [], ...named.map((it) => it.name.text)].flat();
	});
}

/** An example of an option is a property of the options. */
function asOptions({ text, section }: Block): string {
	if (!/^\w+: /m.test(text)) return text;
	const imports = text.match(/^import .*$/gm) ?? [];
	const property = text.replaceAll(/^import .*$/gm, "").trim();
	const [, plugin] = section?.match(/^tenant(\w+)\(\)$/) ?? [];
	const type = plugin ? `Tenant${plugin}Options` : section;
	const entry = plugin && plugin !== "Auth" ? `/${plugin.toLowerCase()}` : "";
	return `${imports.join("\n")}
		import type { ${type} } from "better-auth-tenant${entry}";
		export const options: ${type} = { ${property} };`;
}
