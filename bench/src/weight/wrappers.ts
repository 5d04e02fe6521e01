import ts from "typescript";
import { OPTIONS } from "./types";

/**
 * Finds the objects that are made from Better Auth's `internalAdapter` and replace methods of it:
 * `{ ...sessions, createSession: … }`.
 */
export function findWrappers(files: string[]): { file: string; methods: string[] }[] {
	const program = ts.createProgram(files, OPTIONS);
	const checker = program.getTypeChecker();
	const wrappers: { file: string; methods: string[] }[] = [];
	const isInternalAdapter = (property: ts.ObjectLiteralElementLike) =>
		ts.isSpreadAssignment(property) &&
		checker.getTypeAtLocation(property.expression).getProperty("createSession");
	for (const file of files) {
		const visit = (node: ts.Node): void => {
			if (ts.isObjectLiteralExpression(node) && node.properties.some(isInternalAdapter)) {
				const methods = node.properties.flatMap(({ name }) => (name ? [name.getText()] : []));
				wrappers.push({ file, methods });
			}
			ts.forEachChild(node, visit);
		};
		visit(program.getSourceFile(file) as ts.SourceFile);
	}
	return wrappers;
}
