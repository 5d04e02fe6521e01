import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { HANG } from "./testing/time-limits";

const pluginSource = (path: string) =>
	fileURLToPath(new URL(`./packages/tenant-auth/src/${path}`, import.meta.url));

const reportFile = process.env.TEST_REPORT_FILE;

export default defineConfig({
	resolve: {
		alias: [
			{ find: /^better-auth-tenant\/client$/, replacement: pluginSource("client.ts") },
			{
				find: /^better-auth-tenant\/conformance$/,
				replacement: pluginSource("conformance/index.ts"),
			},
			{ find: /^better-auth-tenant\/providers$/, replacement: pluginSource("providers.ts") },
			{ find: /^better-auth-tenant\/rules$/, replacement: pluginSource("rules.ts") },
			{ find: /^better-auth-tenant\/upgrade$/, replacement: pluginSource("upgrade/index.ts") },
			{ find: /^better-auth-tenant$/, replacement: pluginSource("index.ts") },
		],
	},
	test: {
		include: [
			"{packages,apps}/*/test/**/*.test.ts",
			"bench/test/**/*.test.ts",
			"scripts/**/*.test.ts",
		],
		pool: "forks",
		// Test files share a process, its modules and what the engine has compiled of them: loading Better
		// Auth anew for each took a quarter of the time. `testing/leftovers.ts` sees to it that none leaves
		// anything behind.
		isolate: false,
		// The suites wait for timers and databases as much as they compute.
		maxWorkers: availableParallelism() + 1,
		setupFiles: ["./testing/leftovers.ts"],
		// Time limits end what hangs. No test sets one of its own.
		testTimeout: HANG,
		hookTimeout: HANG,
		expect: { poll: { timeout: HANG, interval: 50 } },
		typecheck: {
			enabled: true,
			include: ["packages/*/test/**/*.test-d.ts"],
			tsconfig: "packages/tenant-auth/test/tsconfig.json",
			// `npm run typecheck` reports the errors of everything else.
			ignoreSourceErrors: true,
		},
		reporters: [
			"default",
			"./testing/services-reporter.ts",
			...(reportFile ? [["json", { outputFile: reportFile }] as ["json", object]] : []),
		],
		coverage: {
			provider: "v8",
			include: ["packages/tenant-auth/src/**/*.ts", "apps/server/src/**/*.ts"],
			reporter: ["text", "html", "json-summary"],
		},
	},
});
