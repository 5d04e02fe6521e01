import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

/** A metric that a query reads, and the labels that the query names. */
export type Selector = {
	metric: string;
	labels: Record<string, { operator: string; value: string }>;
};

/**
 * The metrics that a query reads.
 *
 * @throws if it is not PromQL
 */
export function selectorsOf(query: string): Selector[] {
	const selectors: Selector[] = [];
	const text = ({ from, to }: { from: number; to: number }) => query.slice(from, to);
	parser.parse(query).iterate({
		enter: (node) => {
			if (node.type.isError) throw new Error(`Not PromQL at ${node.from}: ${query}`);
			if (node.name !== "VectorSelector") return;
			const metric = node.node.getChild("Identifier");
			const labels = matchersOf(node.node).map((matcher) => {
				const [, name = "", operator = "", value = ""] =
					/^\s*(\w+)\s*(=~|!~|!=|=)\s*"(.*)"\s*$/.exec(text(matcher)) ?? [];
				return [name, { operator, value }] as const;
			});
			selectors.push({ metric: metric ? text(metric) : "", labels: Object.fromEntries(labels) });
		},
	});
	return selectors;
}

function matchersOf(selector: SyntaxNode): SyntaxNode[] {
	const matchers = selector.getChild("LabelMatchers");
	return matchers
		? ["UnquotedLabelMatcher", "QuotedLabelMatcher"].flatMap((name) => matchers.getChildren(name))
		: [];
}

/** The labels that the query groups by, and other results depend on. */
export function groupingsOf(query: string): string[] {
	return [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(/,\s*/));
}
