// A source file with all its mutants in it, each behind a switch: one number tells at run time which
// of them is on, and which were come across is noted.

import ts from "typescript";
import { mutationsOf, parse } from "./mutants.mjs";

/** The switches: `switches.ts` puts them into the global scope. */
const PREAMBLE = "const { __on, __isOn, __flip, __seeIf } = globalThis.__mutation;";

/**
 * @param {string} file
 * @param {string} code
 * @param {number} firstId the number of the file's first mutant
 */
export function switchedSource(file, code, firstId) {
	const tree = parse(file, code);
	/** @type {Map<ts.Node, number>} */
	const firstOf = new Map();
	let next = firstId;
	/** @param {ts.Node} node */
	const number = (node) => {
		if (isPassedOver(node)) return;
		firstOf.set(node, next);
		next += mutationsOf(node).length;
		ts.forEachChild(node, number);
	};
	number(tree);
	return `${PREAMBLE} ${render(tree)}`;

	/**
	 * The node's text with the switches of all that is in it, and its own around it.
	 *
	 * @param {ts.Node} node
	 * @returns {string}
	 */
	function render(node) {
		if (isPassedOver(node)) return node.getText();
		const own = switched(node);
		const element = elementId(node);
		if (element === undefined) return own;
		const list = ts.isObjectLiteralExpression(node.parent) ? "{}" : "[]";
		return `...(__on(${element}) ? ${list} : ${list[0]} ${own} ${list[1]})`;
	}

	/**
	 * @param {ts.Node} node
	 * @returns {string}
	 */
	function switched(node) {
		const id = firstOf.get(node) ?? 0;
		const found = mutationsOf(node);
		if (ts.isIfStatement(node)) return switchedIf(node, id);
		if (found[0]?.kind === "statement") return `{ if (!__on(${id})) ${inner(node)} }`;
		if (ts.isConditionalExpression(node)) {
			const { condition, whenTrue, whenFalse } = node;
			const [first, second] = [`(${whenTrue.getText()})`, `(${whenFalse.getText()})`];
			const seen = hasCall(condition)
				? `(__on(${id}), __on(${id + 1}), ${render(condition)})`
				: `__seeIf(${render(condition)}, ${id + 1}, ${id})`;
			return `(__isOn(${id}) ? ${first} : __isOn(${id + 1}) ? ${second} : ${seen} ? ${render(whenTrue)} : ${render(whenFalse)})`;
		}
		if (ts.isBinaryExpression(node) && found[0]?.kind === "operand")
			return switchedOperands(node, id);
		if (ts.isCallExpression(node) && found.at(-1)?.kind === "link") {
			const link = id + found.length - 1;
			return `(__on(${link}) ? ${found.at(-1)?.text} : ${inner(node)})`;
		}
		if (found[0]?.kind === "default") {
			const { initializer } = /** @type {ts.ParameterDeclaration} */ (node);
			const value = `__on(${id}) ? undefined : ${initializer && render(initializer)}`;
			return inner(node, new Map([[initializer, value]]));
		}
		return inner(node);
	}

	/**
	 * Without it, a condition that calls nothing and does not hold is the same as none.
	 *
	 * @param {ts.IfStatement} node
	 * @param {number} id
	 */
	function switchedIf(node, id) {
		const { expression, thenStatement, elseStatement } = node;
		const matters = elseStatement || hasCall(expression);
		const condition = `__seeIf(__flip(${id + 1}, ${render(expression)}), ${matters ? -1 : id}, -1)`;
		const otherwise = elseStatement ? ` else ${render(elseStatement)}` : "";
		const gate = matters ? `__on(${id})` : `__isOn(${id})`;
		return `{ if (!${gate}) if (${condition}) ${block(thenStatement)}${otherwise} }`;
	}

	/** @param {ts.Statement} statement */
	function block(statement) {
		return ts.isBlock(statement) ? render(statement) : `{ ${render(statement)} }`;
	}

	/**
	 * @param {ts.BinaryExpression} node
	 * @param {number} id
	 */
	function switchedOperands(node, id) {
		const [leftOnly, rightOnly] = [id, id + 1];
		const operator = node.operatorToken.getText();
		// Where the left decides, the right alone may differ; where the right is asked, the left alone.
		const left = {
			"&&": `__seeIf(${render(node.left)}, -1, ${rightOnly})`,
			"||": `__seeIf(${render(node.left)}, ${rightOnly}, -1)`,
			"??": `__seeIf(${render(node.left)}, ${rightOnly}, -1, true)`,
		}[operator];
		const leftSeen = hasCall(node.left) ? `(__on(${rightOnly}), ${left})` : left;
		const right =
			operator === "&&" && isCondition(node) && !hasCall(node.right)
				? `__seeIf(${render(node.right)}, -1, ${leftOnly})`
				: `(__on(${leftOnly}), ${render(node.right)})`;
		return `(__isOn(${leftOnly}) ? (${node.left.getText()}) : __isOn(${rightOnly}) ? (${node.right.getText()}) : (${leftSeen} ${operator} ${right}))`;
	}

	/**
	 * The node's own text around the switched text of its children.
	 *
	 * @param {ts.Node} node
	 * @param {Map<ts.Node | undefined, string>} [given]
	 */
	function inner(node, given = new Map()) {
		let text = "";
		let end = node.getStart();
		ts.forEachChild(node, (child) => {
			text += code.slice(end, child.getStart()) + (given.get(child) ?? render(child));
			end = child.getEnd();
		});
		return text + code.slice(end, node.getEnd());
	}

	/** @param {ts.Node} node */
	function elementId(node) {
		const { parent } = node;
		const first = parent && firstOf.get(parent);
		if (first === undefined) return undefined;
		const index = mutationsOf(parent).findIndex(
			(found) => found.node === node && (found.kind === "element" || found.kind === "property"),
		);
		return index < 0 ? undefined : first + index;
	}
}

/** @param {ts.Node} node */
function isPassedOver(node) {
	return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node);
}

/** These only look. */
const LOOKING = new Set(
	"has includes startsWith endsWith test some every get isArray hasOwn keepingOf modelKey isScoped isExact isVisitors hasPlugin String Number".split(
		" ",
	),
);

/** These ask a function for its truth alone. */
const ASKING = new Set(["filter", "find", "some", "every"]);

/**
 * Whether it is asked for its truth alone.
 *
 * @param {ts.Node} node
 * @returns {boolean}
 */
function isCondition(node) {
	const { parent } = node;
	if (ts.isIfStatement(parent)) return true;
	if (ts.isConditionalExpression(parent)) return parent.condition === node;
	if (ts.isPrefixUnaryExpression(parent)) return true;
	if (ts.isParenthesizedExpression(parent) || ts.isBinaryExpression(parent))
		return isCondition(parent);
	if (!ts.isArrowFunction(parent) || !ts.isCallExpression(parent.parent)) return false;
	return ASKING.has(calledName(parent.parent));
}

/** @param {ts.CallExpression} call */
function calledName({ expression }) {
	return ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();
}

/**
 * Whether evaluating it may do something.
 *
 * @param {ts.Node} node
 * @returns {boolean}
 */
function hasCall(node) {
	if (ts.isAwaitExpression(node)) return true;
	if (ts.isCallExpression(node) && !LOOKING.has(calledName(node))) return true;
	return ts.forEachChild(node, (child) => hasCall(child) || undefined) === true;
}
