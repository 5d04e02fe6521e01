import type { Context } from "hono";
import { routePath } from "hono/route";

/** The pattern of the route that a request took, of which there are only so many. */
export type RoutePattern = (c: Context) => string;

const unmatched = "unmatched";

/** @param endpoints Better Auth's, by their paths below `basePath` */
export function routePatterns(basePath: string, endpoints: Iterable<string>): RoutePattern {
	const fixed = new Set<string>();
	const open: { pattern: string; matches: RegExp }[] = [];
	for (const path of endpoints) {
		const pattern = `${basePath}${path}`;
		if (path.includes(":")) open.push({ pattern, matches: asRegExp(pattern) });
		else fixed.add(pattern);
	}
	return (c) => {
		const { path } = c.req;
		if (path.startsWith(`${basePath}/`)) {
			if (fixed.has(path)) return path;
			return open.find(({ matches }) => matches.test(path))?.pattern ?? `${basePath}/*`;
		}
		// Of the handler that answered. Middleware is there on every path: then there was no other.
		const pattern = routePath(c);
		return pattern === "/*" ? unmatched : pattern;
	};
}

function asRegExp(pattern: string): RegExp {
	const parts = pattern.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
	return new RegExp(`^${parts.join("/")}$`);
}
