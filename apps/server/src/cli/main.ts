import { run } from "./program";

const code = await run(process.argv.slice(2));
// Ends the process even if a connection is still open, but first flushes what was written to a pipe.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
