// @vitest-environment happy-dom
import { Children, isValidElement, type ReactNode } from "react";
import type { RouteObject } from "react-router";
import { describe, expect, it } from "vitest";
import { adminRoutes } from "../src/admin/routes";
import { readPageLocation } from "../src/api/page-location";
import { routes } from "../src/operator/routes";
import { TenantRoutes } from "../src/tenant/routes";

const SOURCES = import.meta.glob<string>("../src/{operator,tenant,sign-in,admin}/**/*.tsx", {
	query: "?raw",
	import: "default",
	eager: true,
});
const SUITES = import.meta.glob<string>("./{operator,tenant,sign-in,admin}/**/*.test.tsx", {
	query: "?raw",
	import: "default",
	eager: true,
});
const MODULES = import.meta.glob<Record<string, unknown>>(
	["../src/{operator,tenant,sign-in,admin}/**/*.tsx", "!../src/*/main.tsx"],
	{ eager: true },
);

/** `../src/operator/keys/KeysPage.tsx` and `./operator/keys/KeysPage.test.tsx` have the same name. */
const nameOf = (path: string) =>
	path.replace(/^(\.\.\/src|\.)\//, "").replace(/(\.test)?\.tsx$/, "");

const byName = (files: Record<string, string>) =>
	new Map(Object.entries(files).map(([path, content]) => [nameOf(path), content]));

const sources = byName(SOURCES);
const suites = byName(SUITES);

/** The innermost components of an element. What is around them decides who may see them. */
function componentsIn(node: ReactNode): unknown[] {
	return Children.toArray(node).flatMap((child) => {
		if (!isValidElement<{ children?: ReactNode; element?: ReactNode }>(child)) return [];
		const { children, element } = child.props;
		const inside = [...componentsIn(children), ...componentsIn(element)];
		return inside.length > 0 ? inside : [child.type];
	});
}

const componentsOf = (tree: RouteObject[]): unknown[] =>
	tree.flatMap(({ element, errorElement, children = [] }) => [
		...componentsIn(element),
		...componentsIn(errorElement),
		...componentsOf(children),
	]);

const fileOf = new Map(
	Object.entries(MODULES).flatMap(([path, exports]) =>
		Object.values(exports).map((exported) => [exported, nameOf(path)] as const),
	),
);

/** The files that are loaded when somebody opens their page. */
const lazyPagesIn = (name: string) =>
	[...(sources.get(name) ?? "").matchAll(/import\("\.\/([\w/-]+)"\)/g)].map(
		([, file]) => `tenant/${file}`,
	);

/** The files of all pages. A page that its file does not export is in the file of the routes. */
const pages = new Set([
	...[...componentsOf(routes), ...componentsOf(adminRoutes(readPageLocation()))].flatMap(
		(component) => fileOf.get(component) ?? [],
	),
	...componentsIn(TenantRoutes()).map((component) => fileOf.get(component) ?? "tenant/routes"),
	...lazyPagesIn("tenant/routes"),
]);

const filesWith = (pattern: RegExp) =>
	[...sources].filter(([, source]) => pattern.test(source)).map(([name]) => name);

/** Pages that load something, but have other states, which their suites test one by one. */
const OTHER_STATES = [
	// Whether a link works: an error is an answer here.
	"operator/session/password-pages",
];

const forms = filesWith(/<Form\b|<form\b/);
const withSuite = [...new Set([...pages, ...filesWith(/<Form\b|<form\b|use(Api)?Mutation\(/)])];
const withoutSuite = withSuite.filter((name) => !suites.has(name)).sort();

describe("the suites of the console", () => {
	it("are there for every page, and for every file that changes something", () => {
		expect(pages).toContain("operator/tenants/TenantsPage");
		expect(pages).toContain("sign-in/SignInPage");
		expect(pages).toContain("tenant/account/AccountPage");
		expect(withoutSuite).toEqual([]);
	});

	it("test all states of a page of the console that loads something", () => {
		const loading = [...pages].filter(
			(name) =>
				name.startsWith("operator/") &&
				sources.get(name)?.includes("useQuery(") &&
				!OTHER_STATES.includes(name),
		);
		expect(loading).toContain("operator/tenants/TenantsPage");
		expect(withoutText(loading, "describePageStates(")).toEqual([]);
	});

	it("test all states of a form", () => {
		expect(withoutText(forms, "describeFormStates(")).toEqual([]);
	});
});

const withoutText = (names: string[], wanted: string) =>
	names.filter((name) => !suites.get(name)?.includes(wanted));
