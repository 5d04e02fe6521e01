import { TestRunner } from "vitest";

interface Modules {
	getModuleById(id: string): object | undefined;
	invalidateModule(module: object): void;
}

/** Runs a test file anew each time that it comes, also in a process that has run it before. */
export default class RerunningRunner extends TestRunner {
	override importFile(filepath: string, source: "collect" | "setup") {
		const { evaluatedModules } = Reflect.get(this, "workerState") as { evaluatedModules: Modules };
		const known = evaluatedModules.getModuleById(filepath);
		if (known) evaluatedModules.invalidateModule(known);
		return super.importFile(filepath, source);
	}
}
