import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { configDefaults, defineConfig } from "vitest/config";
import { ByEnvironment } from "./testing/by-environment";
import { onlyInTestAll, TEST_ALL } from "./testing/services";
import { HANG } from "./testing/time-limits";

const source = (path: string) => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));
const pluginSource = (path: string) => source(`tenant-auth/src/${path}`);

export default defineConfig({
	resolve: {
		alias: [
			{ find: /^better-auth-tenant\/client$/, replacement: pluginSource("client.ts") },
			{
				find: /^better-auth-tenant\/conformance$/,
				replacement: pluginSource("conformance/index.ts"),
			},
			{
				find: /^better-auth-tenant\/chooser$/,
				replacement: pluginSource("features/chooser/index.ts"),
			},
			{
				find: /^better-auth-tenant\/domains$/,
				replacement: pluginSource("features/domains/index.ts"),
			},
			{
				find: /^better-auth-tenant\/password-hashes$/,
				replacement: pluginSource("password-hashes.ts"),
			},
			{ find: /^better-auth-tenant\/providers$/, replacement: pluginSource("providers.ts") },
			{ find: /^better-auth-tenant\/rules$/, replacement: pluginSource("rules.ts") },
			{ find: /^better-auth-tenant\/testing$/, replacement: pluginSource("testing/index.ts") },
			{ find: /^better-auth-tenant\/upgrade$/, replacement: pluginSource("upgrade/index.ts") },
			{
				find: /^better-auth-tenant\/invitations$/,
				replacement: pluginSource("features/invitations/index.ts"),
			},
			{ find: /^better-auth-tenant\/links$/, replacement: pluginSource("features/links/index.ts") },
			{
				find: /^better-auth-tenant\/openid$/,
				replacement: pluginSource("features/openid/index.ts"),
			},
			{
				find: /^better-auth-tenant\/imports$/,
				replacement: pluginSource("features/imports/index.ts"),
			},
			{
				find: /^better-auth-tenant\/sign-ins$/,
				replacement: pluginSource("features/sign-ins/index.ts"),
			},
			{
				find: /^better-auth-tenant\/webhooks$/,
				replacement: pluginSource("features/webhooks/index.ts"),
			},
			{ find: /^better-auth-tenant$/, replacement: pluginSource("index.ts") },
			{ find: /^better-auth-fast$/, replacement: source("fast/src/index.ts") },
			{ find: /^fair-load-shedder$/, replacement: source("load-shedder/src/index.ts") },
			// Cookie plugins of Better Auth import these. The frameworks are not installed.
			{
				find: /^next\/headers\.js$|^@tanstack\/(react|solid)-start\/server$/,
				replacement: pluginSource("../test/support/http/framework-cookies.ts"),
			},
		],
	},
	test: {
		include: [
			"{packages,apps}/*/test/**/*.test.ts",
			"apps/console/test/**/*.test.tsx",
			"bench/test/**/*.test.ts",
			"scripts/**/*.test.ts",
			"examples/test/*.test.ts",
		],
		exclude: [...configDefaults.exclude, ...(TEST_ALL ? [] : [onlyInTestAll])],
		pool: "forks",
		// The aliases of framework modules apply in files that Vite loads.
		server: { deps: { inline: [/better-auth\/dist\/integrations\//] } },
		// Test files share a process and its modules: loading Better Auth for each file took a quarter of
		// the time. `testing/leftovers.ts` fails tests that leave something behind.
		isolate: false,
		sequence: { sequencer: ByEnvironment },
		// Suites spend a part of their time waiting; in `test:all`, for databases, browsers and programs too.
		maxWorkers: TEST_ALL ? availableParallelism() * 2 + 1 : availableParallelism() + 1,
		// With `TEST_HANDLER=fast`, all tests use `fastHandler(auth)` in place of `auth.handler`, and with
		// `TEST_STATEMENTS=fast` the plugin `fastStatements()`.
		setupFiles: [
			"./testing/leftovers.ts",
			"./testing/idle-connections.ts",
			...([process.env.TEST_HANDLER, process.env.TEST_STATEMENTS].includes("fast")
				? ["./packages/fast/test/support/fast-better-auth.ts"]
				: []),
		],
		// Better Auth asks for the colors of the terminal at each statement, in fifteen variables without this.
		env: { FORCE_COLOR: "0" },
		environmentOptions: {
			// Pages leave for other pages. Only the URL changes then, and no request is sent.
			happyDOM: { settings: { navigation: { disableMainFrameNavigation: true } } },
		},
		// Time limits end what hangs. No test sets its own.
		testTimeout: HANG,
		hookTimeout: HANG,
		// A test without an assertion fails: it proves nothing.
		expect: { requireAssertions: true, poll: { timeout: HANG, interval: 50 } },
		// The summary of the default reporter must be the last thing a run prints.
		reporters: ["./testing/services-reporter.ts", "default"],
		coverage: {
			provider: "v8",
			include: [
				"packages/{tenant-auth,cli,fast,load-shedder}/src/**/*.ts",
				"apps/server/src/**/*.ts",
			],
			reporter: ["text", "html", "json-summary"],
		},
	},
});
