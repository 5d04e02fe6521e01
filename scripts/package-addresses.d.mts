// For the tests: their projects do not read the types of JavaScript files.
import type { Project } from "./package-documents.mjs";

export declare function withAddresses<Manifest extends object>(
	manifest: Manifest,
	directory: string,
	project: Project,
): Manifest;
