#!/usr/bin/env node
// Stands here, and not in dist, to be there when npm links it: before the first build.
import "../dist/cli.mjs";
