// For the tests: their projects do not read the types of JavaScript files.
export declare const installation: string;
export declare function areExamplesInstalled(): boolean;
export declare function installExamples(): void;
