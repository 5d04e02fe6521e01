import type { Reporter, TestModule } from "vitest/node";
import { type Service, services } from "./services";

const RUNTIMES = "not installed, see scripts/install-runtimes.mjs";

const kinds: Record<Service, { label: string; missing: string }> = {
	postgres: { label: "PostgreSQL", missing: "TEST_POSTGRES_URL is not set" },
	mysql: { label: "MariaDB", missing: "TEST_MYSQL_URL is not set" },
	redis: { label: "Redis", missing: "TEST_REDIS_URL is not set" },
	browser: { label: "Browser", missing: "no Chromium found, CHROMIUM_PATH is not set" },
	nginx: { label: "nginx", missing: "no nginx found, NGINX_PATH is not set" },
	go: { label: "Go", missing: "no Go with go-oidc found" },
	python: { label: "Python", missing: "no Python with PyJWT found, TEST_PYTHON is not set" },
	systemd: { label: "systemd", missing: "no systemd-analyze found" },
	docker: { label: "Docker", missing: "no daemon found" },
	promtool: { label: "promtool", missing: "no promtool found, PROMTOOL_PATH is not set" },
	"better-sqlite3": { label: "better-sqlite3", missing: `${RUNTIMES} (Node 22 or newer)` },
	bun: { label: "Bun", missing: RUNTIMES },
	deno: { label: "Deno", missing: RUNTIMES },
	workerd: { label: "workerd", missing: RUNTIMES },
	examples: { label: "Examples", missing: "not installed, see scripts/examples.mjs" },
	"node-sqlite": { label: "node:sqlite", missing: "this Node does not have it" },
};

/** Prints, before the summary, which suites with outside services ran or were skipped, and why. */
export default class ServicesReporter implements Reporter {
	onTestRunEnd(modules: ReadonlyArray<TestModule>) {
		for (const service of Object.keys(kinds) as Service[]) {
			const suites = modules.filter(({ moduleId }) => moduleId.endsWith(`.${service}.test.ts`));
			if (suites.length > 0) console.log(`${kinds[service].label}: ${outcome(service, suites)}`);
		}
	}
}

function outcome(service: Service, suites: TestModule[]): string {
	if (suites.some((suite) => suite.state() === "failed")) return "failed";
	if (suites.some((suite) => suite.state() === "passed")) return "ran";
	return `skipped (${services[service] ? "by the suite itself" : kinds[service].missing})`;
}
