// Runs `npm test` while other processes keep every core busy. A slow machine may make tests slow, but
// must not make them fail. Arguments are passed on to Vitest.
//
//   npm run test:busy
//   npm run test:busy -- packages/tenant-auth

import { fork, spawnSync } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

if (process.send) {
	burn();
} else {
	process.exitCode = runTests();
}

/** Keeps one core busy until the process that started it ends. */
function burn() {
	process.on("disconnect", () => process.exit());
	const work = () => {
		const until = performance.now() + 100;
		while (performance.now() < until);
		setImmediate(work);
	};
	work();
}

function runTests() {
	const burners = Array.from({ length: availableParallelism() }, () =>
		fork(fileURLToPath(import.meta.url)),
	);
	console.log(`test-busy: ${burners.length} processes keep the cores busy`);
	const startedAt = performance.now();
	const { status } = spawnSync("npm", ["test", "--", ...process.argv.slice(2)], {
		stdio: "inherit",
		shell: process.platform === "win32",
	});
	console.log(`test-busy: took ${Math.round((performance.now() - startedAt) / 1000)} s`);
	for (const burner of burners) burner.disconnect();
	return status ?? 1;
}
