import { expect, test } from "vitest";
import { parse } from "yaml";
import { notEmpty, possiblyEmpty } from "../../../../testing/not-empty";
import { usePages } from "../running-pages";
import { asManager } from "../running-service";
import { readDeployFile } from "./deploy-files";
import { groupingsOf, selectorsOf } from "./promql";

type Rule = {
	alert: string;
	expr: string;
	for?: string;
	labels: { severity: string };
	annotations: { summary: string; description: string };
};
type Panel = {
	id: number;
	type: string;
	title: string;
	gridPos: Box;
	targets?: { expr: string }[];
};
type Box = { x: number; y: number; w: number; h: number };

const rules: Rule[] = parse(readDeployFile("prometheus/alerts.yaml")).groups.flatMap(
	(group: { rules: Rule[] }) => group.rules,
);
const dashboard: { panels: Panel[]; templating: { list: { name: string }[] } } = JSON.parse(
	readDeployFile("grafana/dashboard.json"),
);

const queries: [string, string][] = [
	...rules.map(({ alert, expr }): [string, string] => [alert, expr]),
	...dashboard.panels.flatMap(({ title, targets = [] }) =>
		targets.map(({ expr }): [string, string] => [title, expr]),
	),
];

/** What Prometheus itself adds to every metric of a target. */
const TARGET_LABELS = ["job", "instance"];

/** Metric → label → values. */
type Metrics = Map<string, Map<string, Set<string>>>;

const server = usePages();

/** The metrics of a server that has answered some requests. */
async function readMetrics(): Promise<Metrics> {
	const { baseUrl, newTenant, signUp, signInWithWrongPassword } = await server();
	const tenant = await newTenant("Metrics");
	await signUp(tenant, "ada@example.com", "correct horse battery");
	await signInWithWrongPassword(tenant, "ada@example.com");
	await fetch(`${baseUrl}/readyz`);
	const text = await (await fetch(`${baseUrl}/metrics`, { headers: asManager })).text();
	const metrics: Metrics = new Map();
	for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
		const known = metrics.get(name) ?? new Map<string, Set<string>>();
		metrics.set(name, known);
		for (const [, label = "", value = ""] of labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
			known.set(label, (known.get(label) ?? new Set()).add(value));
		}
	}
	return metrics;
}

/** Grafana replaces these before Prometheus sees the query. */
const withoutVariables = (query: string) => query.replaceAll("$__rate_interval", "5m");

test("alerts and dashboard ask for metrics and labels that the server has", async () => {
	const metrics = await readMetrics();
	for (const [name, query] of notEmpty(queries)) {
		const selectors = selectorsOf(withoutVariables(query));
		expect(selectors.length, `${name}: a metric`).toBeGreaterThan(0);
		for (const { metric, labels } of notEmpty(selectors)) {
			// Each server must be told apart from other services of the same Prometheus.
			expect(Object.keys(labels), `${name}: ${metric}`).toContain("job");
			if (metric === "up") continue;
			const known = metrics.get(metric);
			expect(known, `${name}: ${metric}`).toBeDefined();
			for (const [label, { operator, value }] of possiblyEmpty(Object.entries(labels))) {
				if (TARGET_LABELS.includes(label)) continue;
				const values = [...(known?.get(label) ?? [])];
				const isFixed = operator === "=" && !(label === "status" && value === "5xx");
				if (isFixed) expect(values, `${name}: ${label} of ${metric}`).toContain(value);
				else expect(values.length, `${name}: ${label} of ${metric}`).toBeGreaterThan(0);
			}
			for (const label of possiblyEmpty(groupingsOf(query))) {
				if (!TARGET_LABELS.includes(label)) {
					expect([...(known?.keys() ?? [])], `${name}: ${metric}`).toContain(label);
				}
			}
		}
	}
});

test("every alert has a severity, a summary and a remedy", () => {
	expect(rules.length).toBeGreaterThan(8);
	expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
	for (const { alert, labels, annotations } of notEmpty(rules)) {
		expect(["critical", "warning"], alert).toContain(labels.severity);
		expect(annotations.summary, alert).toMatch(/\S/);
		expect(annotations.description, alert).toMatch(/\.$/);
	}
});

test("Prometheus scrapes the job that the alerts are about, and loads them", () => {
	const config = parse(readDeployFile("prometheus/prometheus.yaml"));
	expect(config.rule_files).toEqual(["alerts.yaml"]);
	const [job] = config.scrape_configs;
	expect(job).toMatchObject({ job_name: "tenant-auth", authorization: expect.anything() });
	for (const { alert, expr } of notEmpty(rules)) {
		for (const { labels } of notEmpty(selectorsOf(expr)))
			expect(labels.job?.value, alert).toBe("tenant-auth");
	}
});

test("the panels of the dashboard do not overlap, and use its variables only", () => {
	const cells = new Map<string, string>();
	for (const { title, gridPos } of notEmpty(dashboard.panels)) {
		expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
		for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
			for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
				expect(cells.get(`${x} ${y}`), title).toBeUndefined();
				cells.set(`${x} ${y}`, title);
			}
		}
	}
	expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
	const variables = ["__rate_interval", ...dashboard.templating.list.map(({ name }) => name)];
	const used = [...JSON.stringify(dashboard).matchAll(/\$\{?(\w+)/g)].map(([, name]) => name);
	expect(variables).toEqual(expect.arrayContaining(used));
});
