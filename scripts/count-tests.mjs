// Prints "N passed, N failed, N skipped" from the JSON report of a vitest run.
//
//   node scripts/count-tests.mjs <report.json>

import { readFileSync } from "node:fs";

const content = readFileSync(process.argv[2] ?? "", "utf8");
if (content === "") throw new Error("The tests did not run: their report is empty.");
const report = JSON.parse(content);

// A file that could not even be loaded has no failed test in it, yet it did not pass.
const brokenFiles = report.testResults.filter(
	(/** @type {{ status: string, assertionResults: { status: string }[] }} */ file) =>
		file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed"),
).length;

const passed = report.numPassedTests;
const failed = report.numFailedTests + brokenFiles;
const skipped = report.numPendingTests + report.numTodoTests;
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
