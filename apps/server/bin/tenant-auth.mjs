#!/usr/bin/env node
// Outside of dist, because npm links this file before the first build.
import "../dist/cli.mjs";
