import { run } from "./run";

const code = await run(process.argv.slice(2));
// A connection that is still open must not hold the process. What was written to a pipe has to be
// through first.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
