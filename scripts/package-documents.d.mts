// For the tests: their projects do not read the types of JavaScript files.
export interface Project {
	homepage: string;
	repository: string;
}
export declare const project: Project;
export declare function packageDocuments(addresses: Project): Map<string, string>;
