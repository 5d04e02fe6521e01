// What can be taken away from a source file: one statement, condition, operand, element, property,
// argument or link of a chain at a time.

import ts from "typescript";

/**
 * @typedef {"statement" | "condition" | "choice" | "operand" | "element" | "property" | "default" | "link"} Kind
 * @typedef {object} Mutant
 * @property {number} id
 * @property {string} file
 * @property {number} line
 * @property {string} what what is done to the code, in words
 * @property {Kind} kind
 * @property {number} start where the code is that goes
 * @property {number} end
 * @property {string} text what takes its place
 * @property {boolean} isStatic whether it runs when the module is loaded, or for the first time, and then
 *   never again
 * @typedef {{ node: ts.Node, kind: Kind, text: string, verb: string, start: number, end: number }} Found
 */

/** What these give back is of the kind that they were called on. */
const LINKS = new Set([
	"filter",
	"map",
	"flatMap",
	"slice",
	"trim",
	"replace",
	"catch",
	"toSorted",
]);

/**
 * @param {string} file
 * @param {string} code
 */
export function parse(file, code) {
	return ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true);
}

/**
 * @param {ts.SourceFile} tree
 * @returns {Found[]}
 */
function findIn(tree) {
	/** @type {Found[]} */
	const found = [];
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node))
			return;
		found.push(...mutationsOf(node));
		ts.forEachChild(node, visit);
	};
	visit(tree);
	return found;
}

/**
 * @param {ts.Node} node
 * @returns {Found[]}
 */
export function mutationsOf(node) {
	/** @type {(kind: Kind, verb: string, text: string, of?: ts.Node) => Found} */
	const replaced = (kind, verb, text, of = node) => {
		return { node: of, kind, verb, text, start: of.getStart(), end: of.getEnd() };
	};
	/** @type {(kind: Kind, of: ts.Node) => Found} */
	const removed = (kind, of) => {
		const rest = of.getSourceFile().text.slice(of.getEnd());
		const comma = rest.match(/^\s*,/)?.[0].length ?? 0;
		return { ...replaced(kind, "without", "", of), end: of.getEnd() + comma };
	};
	/** @type {Found[]} */
	const found = [];
	if (isRemovable(node)) found.push(replaced("statement", "without", ";"));
	if (ts.isIfStatement(node)) {
		const { expression } = node;
		found.push(replaced("condition", "not", `!(${expression.getText()})`, expression));
	}
	if (ts.isConditionalExpression(node)) {
		found.push(replaced("choice", "always the first of", parenthesized(node.whenTrue)));
		found.push(replaced("choice", "always the second of", parenthesized(node.whenFalse)));
	}
	if (ts.isBinaryExpression(node) && isChoosing(node.operatorToken.kind)) {
		found.push(replaced("operand", "only the left of", parenthesized(node.left)));
		found.push(replaced("operand", "only the right of", parenthesized(node.right)));
	}
	if (ts.isArrayLiteralExpression(node)) {
		found.push(...node.elements.map((element) => removed("element", element)));
	}
	if (ts.isObjectLiteralExpression(node)) {
		found.push(...node.properties.map((property) => removed("property", property)));
	}
	if (ts.isCallExpression(node) && !isAboutLogging(node)) {
		if (node.arguments.length > 1) {
			const telling = node.arguments.filter((argument) => !ts.isLiteralExpression(argument));
			found.push(...telling.map((argument) => removed("element", argument)));
		}
		if (isLink(node))
			found.push(
				replaced("link", "without the last of", parenthesized(node.expression.expression)),
			);
	}
	if ((ts.isBindingElement(node) || ts.isParameter(node)) && node.initializer) {
		found.push(replaced("default", "without the default", "undefined", node.initializer));
	}
	return found;
}

/** @param {ts.Node} node */
const parenthesized = (node) => `(${node.getText()})`;

/** @param {ts.Node} node */
function isRemovable(node) {
	return (
		(ts.isExpressionStatement(node) ||
			ts.isIfStatement(node) ||
			ts.isReturnStatement(node) ||
			ts.isThrowStatement(node) ||
			ts.isBreakOrContinueStatement(node) ||
			ts.isForStatement(node) ||
			ts.isForOfStatement(node)) &&
		!(ts.isExpressionStatement(node) && isAboutLogging(node.expression))
	);
}

/** @param {ts.Node} node */
function isAboutLogging(node) {
	return /^\S*logger\./.test(node.getText());
}

/** @param {ts.SyntaxKind} kind */
function isChoosing(kind) {
	return (
		kind === ts.SyntaxKind.AmpersandAmpersandToken ||
		kind === ts.SyntaxKind.BarBarToken ||
		kind === ts.SyntaxKind.QuestionQuestionToken
	);
}

/**
 * The parts of an optional chain cannot stand alone: what follows them is skipped with them.
 *
 * @param {ts.CallExpression} node
 * @returns {node is ts.CallExpression & { expression: ts.PropertyAccessExpression }}
 */
function isLink(node) {
	const { expression } = node;
	if (!ts.isPropertyAccessExpression(expression) || !LINKS.has(expression.name.text)) return false;
	return !(node.flags & ts.NodeFlags.OptionalChain);
}

/**
 * Code outside of functions runs once, and so may a function that fills a variable of its module.
 *
 * @param {ts.Node} node
 * @param {ts.SourceFile} tree
 */
function isStatic(node, tree) {
	const around = ts.findAncestor(node, (outer) => ts.isFunctionLike(outer));
	if (!around) return true;
	const kept = tree.statements
		.filter((statement) => ts.isVariableStatement(statement))
		.flatMap(({ declarationList }) =>
			declarationList.declarations.map(({ name }) => name.getText()),
		);
	/** @type {(inner: ts.Node) => boolean | undefined} */
	const fills = (inner) =>
		(ts.isBinaryExpression(inner) &&
			/^(\?\?)?=$/.test(inner.operatorToken.getText()) &&
			kept.includes(inner.left.getText())) ||
		ts.forEachChild(inner, fills);
	return fills(around) === true;
}

/**
 * All mutants of the files, numbered: the same files give the same numbers.
 *
 * @param {Map<string, string>} sources code by file name
 * @returns {Mutant[]}
 */
export function findMutants(sources) {
	/** @type {Mutant[]} */
	const mutants = [];
	for (const [file, code] of sources) {
		const tree = parse(file, code);
		const seen = new Map();
		for (const { node, kind, verb, text, start, end } of findIn(tree)) {
			const around =
				kind === "element" || kind === "property" ? ` in ${brief(node.parent, 60)}` : "";
			const shown = `${verb}: ${brief(node, 100)}${around}`;
			const times = (seen.get(shown) ?? 0) + 1;
			seen.set(shown, times);
			mutants.push({
				id: mutants.length,
				file,
				line: tree.getLineAndCharacterOfPosition(start).line + 1,
				what: times === 1 ? shown : `${shown} (${times})`,
				kind,
				start,
				end,
				text,
				isStatic: isStatic(node, tree),
			});
		}
	}
	return mutants;
}

/**
 * @param {ts.Node} node
 * @param {number} length
 */
function brief(node, length) {
	const text = node.getText().replaceAll(/\s+/g, " ");
	return text.length > length ? `${text.slice(0, length)}…` : text;
}

/**
 * @param {Mutant} mutant
 * @param {string} code
 */
export function mutate({ start, end, text }, code) {
	return code.slice(0, start) + text + code.slice(end);
}
