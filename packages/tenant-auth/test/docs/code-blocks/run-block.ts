import ts from "typescript";
import { blocksIn, textOf } from "../../../../../testing/pages";
import { importCode } from "../../support/processes/import-code";

type Exports = Record<string, (...input: never[]) => Promise<unknown>>;

/**
 * Runs a file of a page in this process, and returns what it exports. `modules` has the modules that
 * it imports, by name. All others come from `node_modules`.
 */
export async function runBlock<Known extends object = Exports>(
	page: string,
	name: string,
	modules: Record<string, object>,
): Promise<Known> {
	const text = blocksIn(textOf(page)).find((it) => it.name === name)?.text;
	if (text === undefined) throw new Error(`${page} has no ${name}`);
	const { outputText } = ts.transpileModule(text, {
		compilerOptions: {
			target: ts.ScriptTarget.ES2022,
			module: ts.ModuleKind.ESNext,
			removeComments: true,
		},
	});
	const key = `code-block-${Math.random().toString(36).slice(2)}`;
	const given = `globalThis[Symbol.for("${key}")]`;
	const code = outputText.replaceAll(
		/^import (\{[^}]*\}) from "([^"]+)";$/gm,
		(statement, names: string, from: string) =>
			from in modules
				? `const ${names.replaceAll(" as ", ": ")} = ${given}["${from}"];`
				: statement,
	);
	Object.assign(globalThis, { [Symbol.for(key)]: modules });
	return (await importCode(code)) as Known;
}
