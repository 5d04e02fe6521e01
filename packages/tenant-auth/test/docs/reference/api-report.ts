import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const packageFolder = new URL("../../../", import.meta.url);

/** The types of each entry point, as they are published: by name, without comments. */
export function apiReport(): string {
	const manifest = JSON.parse(readFileSync(new URL("package.json", packageFolder), "utf8"));
	const entries = Object.entries<{ types?: string }>(manifest.exports).flatMap(
		([path, { types }]) =>
			types ? [{ path, file: fileURLToPath(new URL(types, packageFolder)) }] : [],
	);
	const program = ts.createProgram(
		entries.map(({ file }) => file),
		{
			module: ts.ModuleKind.NodeNext,
			moduleResolution: ts.ModuleResolutionKind.NodeNext,
			skipLibCheck: true,
			types: [],
		},
	);
	const printer = new DeclarationPrinter(program);
	const sections = entries.map(({ path, file }) => {
		const name = `${manifest.name}${path.slice(1)}`;
		return section(name, printer.printExports(file));
	});
	// Types that exported ones mention. A change of these is a change of the API too.
	return [...sections, section("not exported, but used above", printer.printMentioned())].join(
		"\n",
	);
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

const section = (title: string, declarations: string[]) =>
	`// ${title}\n\n${declarations.join("\n")}\n`;

class DeclarationPrinter {
	readonly #checker: ts.TypeChecker;
	readonly #printer = ts.createPrinter({ removeComments: true });
	readonly #printed = new Set<ts.Symbol>();
	readonly #mentioned = new Set<ts.Symbol>();

	constructor(readonly program: ts.Program) {
		this.#checker = program.getTypeChecker();
	}

	printExports(file: string): string[] {
		const source = this.program.getSourceFile(file);
		const module = source && this.#checker.getSymbolAtLocation(source);
		if (!module) throw new Error(`${file} is missing: build the plugin first`);
		return this.#checker
			.getExportsOfModule(module)
			.sort(byName)
			.map((exported) => this.#print(exported, exported.name));
	}

	/** Until no printed declaration mentions another one. */
	printMentioned(): string[] {
		const found: { name: string; text: string }[] = [];
		// The loop also visits what it adds.
		for (const symbol of this.#mentioned) {
			if (this.#printed.has(symbol)) continue;
			found.push({ name: symbol.name, text: this.#print(symbol, symbol.name) });
		}
		return found.sort(byName).map(({ text }) => text);
	}

	#print(symbol: ts.Symbol, name: string): string {
		const target = this.#resolve(symbol);
		if (this.#printed.has(target)) return `// ${name}: as above`;
		this.#printed.add(target);
		return (target.declarations ?? [])
			.map((declaration) => {
				const statement = statementOf(declaration);
				const isShort = isInReference(statement);
				if (!isShort) this.#visit(statement);
				const shown = isShort ? shorten(statement) : statement;
				const source = declaration.getSourceFile();
				return this.#printer.printNode(ts.EmitHint.Unspecified, sort(shown, source), source);
			})
			.join("\n");
	}

	#visit(node: ts.Node): void {
		if (ts.isIdentifier(node)) {
			const symbol = this.#checker.getSymbolAtLocation(node);
			const target = symbol && this.#resolve(symbol);
			if (target && isOwnStatement(target)) this.#mentioned.add(target);
		}
		ts.forEachChild(node, (child) => this.#visit(child));
	}

	#resolve(symbol: ts.Symbol): ts.Symbol {
		return symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
	}
}

const statementOf = (declaration: ts.Declaration): ts.Node =>
	ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;

/** A type, function or constant of this package, and not a part of one. */
const isOwnStatement = (symbol: ts.Symbol) =>
	(symbol.declarations ?? []).some((declaration) => {
		const { fileName } = declaration.getSourceFile();
		const isOwn = fileName.startsWith(fileURLToPath(new URL("dist/", packageFolder)));
		// What we add to a module of Better Auth is not that module.
		if (!isOwn || ts.isModuleDeclaration(declaration)) return false;
		return ts.isSourceFile(statementOf(declaration).parent);
	});

/** Long objects that docs/reference shows, which a test of its own compares with the source. */
const IN_REFERENCE = [
	...["tenantAuth", "tenantDomains", "tenantInvitations", "tenantLinks"],
	...["tenantOpenId", "tenantWebhooks"],
	...["createPlugin", "createSchema", "ROUTES"],
];

function isInReference(statement: ts.Node): boolean {
	const declarations = ts.isVariableStatement(statement)
		? [...statement.declarationList.declarations]
		: [statement];
	return declarations.some(
		(it) =>
			(ts.isVariableDeclaration(it) || ts.isFunctionDeclaration(it)) &&
			IN_REFERENCE.includes(it.name?.getText() ?? ""),
	);
}

/** Replaces the object type of a statement by a name. */
const shorten = (statement: ts.Node) =>
	rewrite(statement, (node) =>
		ts.isTypeLiteralNode(node) ? ts.factory.createTypeReferenceNode("SeeReference") : node,
	);

/** The compiler writes the members of a union, and inferred objects, in the order in which it met them. */
function sort(statement: ts.Node, source: ts.SourceFile): ts.Node {
	const printer = ts.createPrinter({ removeComments: true });
	const textOf = (node: ts.Node) => printer.printNode(ts.EmitHint.Unspecified, node, source);
	const sorted = <T extends ts.Node>(nodes: readonly T[]) =>
		[...nodes].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
	return rewrite(statement, (node) => {
		if (ts.isUnionTypeNode(node)) return ts.factory.createUnionTypeNode(sorted(node.types));
		if (ts.isTypeLiteralNode(node)) return ts.factory.createTypeLiteralNode(sorted(node.members));
		return node;
	});
}

/** Changes the innermost nodes first. */
function rewrite(statement: ts.Node, change: (node: ts.Node) => ts.Node): ts.Node {
	const transformer = (context: ts.TransformationContext) => {
		const visit = (node: ts.Node): ts.Node => change(ts.visitEachChild(node, visit, context));
		return visit;
	};
	return ts.transform(statement, [transformer]).transformed[0] ?? statement;
}
