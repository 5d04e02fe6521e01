import ts from "typescript";

/** As in a strict app. */
export const OPTIONS: ts.CompilerOptions = {
	target: ts.ScriptTarget.ES2022,
	module: ts.ModuleKind.ESNext,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
	strict: true,
	skipLibCheck: true,
	noEmit: true,
	types: [],
};

/** What `tsc --extendedDiagnostics` calls instantiations. */
export function countInstantiations(app: string): number {
	const program = ts.createProgram([app], OPTIONS);
	const [problem] = ts.getPreEmitDiagnostics(program);
	if (problem) throw new Error(ts.flattenDiagnosticMessageText(problem.messageText, "\n"));
	return program.getInstantiationCount();
}
