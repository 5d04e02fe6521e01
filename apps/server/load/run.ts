import { load } from "./load";
import { type LoadOptions, readOptions, usage } from "./options";
import { describe, problemsOf } from "./report";

function optionsOrEnd(): LoadOptions {
	try {
		const options = readOptions(process.argv.slice(2));
		if (options !== "help") return options;
		console.log(usage);
		process.exit(0);
	} catch (error) {
		console.error(`${error instanceof Error ? error.message : error}\n\n${usage}`);
		process.exit(2);
	}
}

const options = optionsOrEnd();
const end = new AbortController();
process.once("SIGINT", () => end.abort());
const report = await load(options, console.log, end);
console.log(`\n${describe(report)}`);
process.exitCode = problemsOf(report).length > 0 ? 1 : 0;
