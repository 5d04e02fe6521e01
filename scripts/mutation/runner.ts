// Vitest's runner in a mutation check: turns the mutant on that a test file is to meet, and notes how
// its tests end, and which mutants they come across.

import { appendFileSync } from "node:fs";
import { inject, type RunnerTestCase, TestRunner, vi } from "vitest";
import "./cheap-hashes.ts";
import { switches } from "./switches.ts";

declare module "vitest" {
	interface ProvidedContext {
		/** One for each file that is run, in their order. */
		turns: {
			trial: number;
			mutant: number;
			isStatic: boolean;
			isControl: boolean;
			timeout: number;
		}[];
		noteTo: string;
	}
}

type Suite = Parameters<TestRunner["onBeforeRunSuite"]>[0];

interface Modules {
	getModuleById(id: string): object | undefined;
	invalidateModule(module: object): void;
}

// A test may hold the clock.
const now = performance.now.bind(performance);

export default class MutationRunner extends TestRunner {
	private turn = -1;
	private outside = new Set<number>();
	private failed = new Set<number | string>();
	private begunAt = 0;
	private setUp: number | undefined;

	private get current() {
		const turn = inject("turns")[this.turn];
		if (!turn) throw new Error("There are more test files than turns");
		return turn;
	}

	/** One failure tells enough of a mutant, and a control is for what has failed. */
	private isKnown(fileOrTest: string) {
		const { trial, mutant, isControl } = this.current;
		return isControl ? !this.failed.has(fileOrTest) : mutant >= 0 && this.failed.has(trial);
	}

	onBeforeCollect() {
		const last = inject("turns")[this.turn];
		this.turn += 1;
		const { mutant, isStatic, timeout } = this.current;
		appendFileSync(inject("noteTo"), `${JSON.stringify({ begins: this.turn })}\n`);
		switches.active = mutant;
		switches.takeHits();
		// What runs when a module is loaded is to meet the mutant as well.
		if (mutant !== (last?.mutant ?? -1) && (isStatic || last?.isStatic)) vi.resetModules();
		this.config.testTimeout = timeout;
		this.config.hookTimeout = timeout;
		this.outside.clear();
		this.setUp = undefined;
	}

	/** Runs a test file anew each time that it comes, if there is still something to find out. */
	override async importFile(filepath: string, source: "collect" | "setup") {
		if (this.isKnown(filepath)) return;
		const { evaluatedModules } = Reflect.get(this, "workerState") as { evaluatedModules: Modules };
		const known = evaluatedModules.getModuleById(filepath);
		if (known) evaluatedModules.invalidateModule(known);
		await super.importFile(filepath, source);
		this.begunAt = now();
	}

	override async onBeforeRunSuite(suite: Suite) {
		await super.onBeforeRunSuite(suite);
		// The file could not even be loaded.
		if (suite.result?.state === "fail") this.note(suite, []);
	}

	override async onBeforeRunTask(test: RunnerTestCase) {
		if (this.isKnown(test.id)) test.mode = "skip";
		await super.onBeforeRunTask(test);
		if (test.mode === "skip") return;
		// What runs outside of tests, in a `beforeAll` for example, may matter to every test of the file.
		for (const id of switches.takeHits()) this.outside.add(id);
		this.setUp ??= now() - this.begunAt;
		this.begunAt = now();
	}

	override onAfterRunTask(test: RunnerTestCase) {
		super.onAfterRunTask(test);
		if (test.result?.state !== "skip") this.note(test, switches.takeHits());
	}

	override async onAfterRunSuite(suite: Suite) {
		await super.onAfterRunSuite(suite);
		if (suite.result?.errors?.length) this.note(suite, []);
	}

	private note({ id, name, file, result }: Suite | RunnerTestCase, hits: number[]) {
		const { trial, isControl } = this.current;
		const passed = result?.state !== "fail";
		if (!passed && !isControl) this.failed.add(trial).add(id).add(file.filepath);
		const [ms, setUp] = [Math.ceil(now() - this.begunAt), Math.ceil(this.setUp ?? 0)];
		const outside = [...this.outside];
		appendFileSync(
			inject("noteTo"),
			`${JSON.stringify({ trial, id, name, file: file.filepath, ms, setUp, passed, isControl, hits, outside })}\n`,
		);
	}
}
