import type { Reporter, TestModule, TestSuite } from "vitest/node";
import { installed, type Service, TEST_ALL } from "./services";

const RUNTIMES = "not installed, see scripts/install-runtimes.mjs";

const kinds: Record<Service, { label: string; missing: string }> = {
	postgres: { label: "PostgreSQL", missing: "TEST_POSTGRES_URL is not set" },
	mysql: { label: "MariaDB", missing: "TEST_MYSQL_URL is not set" },
	redis: { label: "Redis", missing: "TEST_REDIS_URL is not set" },
	browser: { label: "Browser", missing: "no Chromium found, CHROMIUM_PATH is not set" },
	nginx: { label: "nginx", missing: "no nginx found, NGINX_PATH is not set" },
	go: { label: "Go", missing: "no Go with go-oidc found" },
	python: { label: "Python", missing: "no Python with PyJWT found, TEST_PYTHON is not set" },
	cluster: {
		label: "Clusters",
		missing: "redis-server, postgresql, mariadb-server with galera-4 or rsync is not installed",
	},
	patroni: {
		label: "Patroni",
		missing: "patroni, etcd-server, haproxy or postgresql is not installed",
	},
	systemd: { label: "systemd", missing: "no systemd-analyze found" },
	docker: { label: "Docker", missing: "no daemon found" },
	promtool: { label: "promtool", missing: "no promtool found, PROMTOOL_PATH is not set" },
	"better-sqlite3": { label: "better-sqlite3", missing: `${RUNTIMES} (Node 22 or newer)` },
	bun: { label: "Bun", missing: RUNTIMES },
	deno: { label: "Deno", missing: RUNTIMES },
	workerd: { label: "workerd", missing: RUNTIMES },
	opentelemetry: { label: "OpenTelemetry", missing: RUNTIMES },
	examples: { label: "Examples", missing: "not installed, see scripts/examples.mjs" },
	"node-sqlite": { label: "node:sqlite", missing: "this Node does not have it" },
};

type Suite = TestModule | TestSuite;

/** Prints, before the summary, which suites with outside services ran or did not, and why, and what failed. */
export default class ServicesReporter implements Reporter {
	onTestRunEnd(modules: ReadonlyArray<TestModule>) {
		printServices(modules);
		for (const line of modules.flatMap(failuresOf)) console.log(line);
	}
}

function printServices(modules: ReadonlyArray<TestModule>): void {
	if (!TEST_ALL) {
		const labels = Object.values(kinds).map(({ label }) => label);
		console.log(`Without outside services. npm run test:all also tests: ${labels.join(", ")}`);
		return;
	}
	for (const service of Object.keys(kinds) as Service[]) {
		const suites = modules.flatMap((module) => suitesWith(service, module));
		if (suites.length > 0) console.log(`${kinds[service].label}: ${outcome(service, suites)}`);
	}
}

/**
 * A line for each failed test, and for each suite whose preparation failed, so that the end of a cut log
 * still names all of them.
 */
function failuresOf(module: TestModule): string[] {
	const firstLine = (text = "") => text.split("\n")[0]?.slice(0, 200);
	const line = (name: string, message?: string) => `failed: ${name}: ${firstLine(message)}`;
	const file = module.relativeModuleId;
	return [
		...module.errors().map(({ message }) => line(file, message)),
		...[...module.children.allSuites()].flatMap((suite) =>
			suite.errors().map(({ message }) => line(`${file} > ${suite.fullName}`, message)),
		),
		...[...module.children.allTests("failed")].map((test) =>
			line(`${file} > ${test.fullName}`, test.result().errors?.[0]?.message),
		),
	];
}

/** A file that has the name of the service, or the suites of any file that run "on PostgreSQL". */
function suitesWith(service: Service, module: TestModule): Suite[] {
	if (module.moduleId.endsWith(`.${service}.test.ts`)) return [module];
	const title = new RegExp(`\\bon ${kinds[service].label}\\b`);
	return [...module.children.allSuites()].filter(({ name }) => title.test(name));
}

function outcome(service: Service, suites: Suite[]): string {
	const count = (state: string) => suites.filter((suite) => suite.state() === state).length;
	if (count("failed") > 0) return `${count("failed")} of ${suites.length} suites failed`;
	if (count("passed") > 0) return `ran (${count("passed")} suites)`;
	return `did not run (${installed[service] ? "skipped by the suite itself" : kinds[service].missing})`;
}
