import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the suites that need a document after all others. A process serves only one environment, so each
 * change between them would start a new process, which loads Better Auth again.
 */
export class ByEnvironment extends BaseSequencer {
	override async sort(suites: TestSpecification[]): Promise<TestSpecification[]> {
		const sorted = await super.sort(suites);
		const needsDocument = ({ moduleId }: TestSpecification) => moduleId.endsWith(".tsx");
		return [...sorted.filter((it) => !needsDocument(it)), ...sorted.filter(needsDocument)];
	}
}
