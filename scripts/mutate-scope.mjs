// Takes one statement, condition or element of the scope's code away at a time, in a copy of the
// repository, and tells which of these mutants no test notices.
//
//   node scripts/mutate-scope.mjs [--file scoped-adapter] [--sample 50] [--minutes 10]
//     [--workers 2] [--stages 1]
//
// The copies live in the system's temporary directory; the working tree is only read.

import { spawn } from "node:child_process";
import {
	cpSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";

/** @typedef {{ file: string, line: number, what: string, start: number, end: number, text: string }} Mutant */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const scope = "packages/tenant-auth/src/scope";
const patience = 300_000;

/** What the first stage does not notice, the second one may. */
const stages = [
	["mail-links", "tenant-id-fields", "plugins/host-tables", "plugins/username"],
	[
		"sessions-bearer",
		"scoped-adapter",
		"forged-key",
		"cached-session",
		"tenant-sources",
		"guard-rails",
		"host-hooks",
		"memory-adapter",
		"schema",
		"email-race",
		"email-hidden-address",
		"plugins/admin",
		"plugins/api-key",
		"plugins/magic-link",
		"plugins/multi-session",
		"plugins/one-time-token",
		"plugins/organization",
	],
	["hook-order", "sessions", "erase", "email", "management", "social-state", "social-core-paths"],
];

const { values } = parseArgs({
	options: {
		file: { type: "string" },
		sample: { type: "string" },
		workers: { type: "string" },
		minutes: { type: "string" },
		stages: { type: "string" },
	},
});

// Somebody may edit the sources meanwhile: mutants and copies come from what is there now.
const base = makeCopy(root);
const mutants = chooseMutants(findAllMutants());
const deadline = Date.now() + Number(values.minutes ?? Number.POSITIVE_INFINITY) * 60_000;
const workers = Number(values.workers ?? Math.max(1, Math.floor(availableParallelism() / 2)));
const startedAt = Date.now();
console.log(`${mutants.length} mutants, ${workers} at a time`);

if (!(await isGreen(base))) throw new Error("the tests fail without any mutant");

/** @type {Mutant[]} */
const survivors = [];
const queue = shuffled(mutants);
let tried = 0;
await Promise.all(Array.from({ length: workers }, work));
rmSync(base, { recursive: true, force: true });

const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
console.log(`\n${tried - survivors.length} of ${tried} noticed in ${minutes} minutes`);
for (const { file, line, what } of survivors.sort(byPlace)) {
	console.log(`survived  ${file}:${line}  ${what}`);
}
process.exitCode = survivors.length > 0 ? 1 : 0;

async function work() {
	const copy = makeCopy(base);
	try {
		while (queue.length > 0 && Date.now() < deadline) {
			const mutant = /** @type {Mutant} */ (queue.shift());
			const path = join(copy, scope, mutant.file);
			const original = readFileSync(path, "utf8");
			const { start, end, text } = mutant;
			writeFileSync(path, original.slice(0, start) + text + original.slice(end));
			const survived = await isGreen(copy);
			writeFileSync(path, original);
			if (survived) survivors.push(mutant);
			tried += 1;
			process.stdout.write(survived ? "S" : ".");
		}
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

/** @param {string} from */
function makeCopy(from) {
	const copy = mkdtempSync(join(tmpdir(), "mutate-scope-"));
	const parts = [
		"package.json",
		"tsconfig.json",
		"tsconfig.base.json",
		"vitest.config.ts",
		"testing",
		"packages/tenant-auth",
	];
	for (const path of parts) {
		cpSync(join(from, path), join(copy, path), {
			recursive: true,
			filter: (source) => !/[/\\](node_modules|dist)$/.test(source),
		});
	}
	for (const path of ["node_modules", "packages/tenant-auth/node_modules"]) {
		if (existsSync(join(root, path))) symlinkSync(join(root, path), join(copy, path), "junction");
	}
	return copy;
}

/** @param {string} copy */
async function isGreen(copy) {
	for (const names of stages.slice(0, Number(values.stages ?? stages.length))) {
		if (!(await passes(copy, names))) return false;
	}
	return true;
}

/**
 * @param {string} copy
 * @param {string[]} names
 * @returns {Promise<boolean>}
 */
function passes(copy, names) {
	const tests = names.map((name) => `packages/tenant-auth/test/${name}.test.ts`);
	const vitest = join(root, "node_modules/vitest/vitest.mjs");
	const flags = [
		"--typecheck.enabled=false",
		"--bail=1",
		"--reporter=dot",
		"--no-file-parallelism",
		"--no-isolate",
	];
	return new Promise((resolve, reject) => {
		const child = spawn(process.execPath, [vitest, "run", ...tests, ...flags], {
			cwd: copy,
			stdio: "ignore",
			env: { ...process.env, TEST_POSTGRES_URL: "", TEST_MYSQL_URL: "", TEST_REDIS_URL: "" },
		});
		// A mutant that waits for ever is noticed as well.
		const timer = setTimeout(() => child.kill("SIGKILL"), patience);
		child.once("error", reject);
		child.once("close", (code) => {
			clearTimeout(timer);
			resolve(code === 0);
		});
	});
}

/**
 * Always in the same order, but spread over all files: a run that is cut short is a fair sample.
 *
 * @param {Mutant[]} all
 * @returns {Mutant[]}
 */
function shuffled(all) {
	const places = new Map(all.map((mutant, index) => [mutant, (index * 104_729) % 65_537]));
	const key = (/** @type {Mutant} */ mutant) => places.get(mutant) ?? 0;
	return all.toSorted((x, y) => key(x) - key(y));
}

/** @returns {Mutant[]} */
function findAllMutants() {
	return readdirSync(join(base, scope))
		.filter((file) => file.endsWith(".ts") && (!values.file || file.startsWith(values.file)))
		.flatMap(findMutants);
}

/**
 * @param {Mutant[]} all
 * @returns {Mutant[]}
 */
function chooseMutants(all) {
	const wanted = Number(values.sample ?? all.length);
	const step = Math.max(1, all.length / wanted);
	return Array.from(
		{ length: Math.min(wanted, all.length) },
		(_, n) => all[Math.floor(n * step)],
	).filter((mutant) => mutant !== undefined);
}

/**
 * @param {string} file
 * @returns {Mutant[]}
 */
function findMutants(file) {
	const code = readFileSync(join(base, scope, file), "utf8");
	const tree = ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true);
	/** @type {Mutant[]} */
	const found = [];
	/**
	 * @param {ts.Node} node
	 * @param {string} what
	 * @param {string} text
	 */
	const add = (node, what, text, start = node.getStart(), end = node.getEnd()) => {
		const { line } = tree.getLineAndCharacterOfPosition(start);
		const shown = node.getText().replaceAll(/\s+/g, " ").slice(0, 90);
		found.push({ file, line: line + 1, what: `${what}: ${shown}`, start, end, text });
	};
	/** @param {ts.Node} node */
	const visit = (node) => {
		if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node))
			return;
		if (ts.isExpressionStatement(node) || ts.isIfStatement(node) || ts.isReturnStatement(node)) {
			if (!isAboutLogging(node)) add(node, "without", ";");
		}
		if (ts.isIfStatement(node)) add(node.expression, "not", `!(${node.expression.getText()})`);
		if (ts.isConditionalExpression(node))
			add(node.condition, "not", `!(${node.condition.getText()})`);
		if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind)) {
			add(node, "only the left of", node.left.getText());
			add(node, "only the right of", node.right.getText());
		}
		if (ts.isArrayLiteralExpression(node)) {
			for (const element of node.elements) addRemoval(element);
		}
		if (ts.isObjectLiteralExpression(node)) {
			for (const property of node.properties) {
				if (!ts.isSpreadAssignment(property)) addRemoval(property);
			}
		}
		ts.forEachChild(node, visit);
	};
	/** @param {ts.Node} node */
	function addRemoval(node) {
		const comma = code.slice(node.getEnd()).match(/^\s*,/)?.[0].length ?? 0;
		add(node, "without", "", node.getStart(), node.getEnd() + comma);
	}
	visit(tree);
	return found;
}

/** @param {ts.SyntaxKind} kind */
function isLogical(kind) {
	return kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;
}

/** @param {ts.Node} node */
function isAboutLogging(node) {
	return /^\S*logger\./.test(node.getText());
}

/**
 * @param {Mutant} x
 * @param {Mutant} y
 */
function byPlace(x, y) {
	return x.file.localeCompare(y.file) || x.line - y.line;
}
