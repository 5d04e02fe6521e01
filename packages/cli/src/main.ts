#!/usr/bin/env node
import { run } from "./program";

const code = await run(process.argv.slice(2));
// The app's pools would keep the process alive. Wait until everything is written to the pipes.
process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
