#!/usr/bin/env node
import { run } from "./program";

// The build copies the templates next to this file.
process.exitCode = await run(process.argv.slice(2), new URL(".", import.meta.url));
