import type { MarkdownRenderer } from "vitepress";

/**
 * A link to a file outside of `docs`, such as a test, is the path of the file on the site. On a code host it
 * is a link.
 */
export function linksToRepository(renderer: MarkdownRenderer): void {
	renderer.core.ruler.after("inline", "links-to-repository", ({ tokens }) => {
		for (const { children } of tokens) {
			const open = children?.filter(({ type }) => type === "link_open" || type === "link_close");
			for (const [index, token] of (open ?? []).entries()) {
				if (!token.attrGet("href")?.startsWith("../") || isPage(token.attrGet("href"))) continue;
				const path = token.attrGet("href")?.replace(/^(\.\.\/)+/, "") ?? "";
				const close = open?.[index + 1];
				for (const end of [token, close]) {
					if (!end) continue;
					end.tag = "span";
					end.attrs = end === token ? [["title", path]] : null;
				}
			}
		}
	});
}

/** From `docs/reference`, a link to another page leads upwards too. */
const isPage = (href: string | null) =>
	/^\.\.\/[a-z-]+\.md(#|$)/.test(href ?? "") && !/README/.test(href ?? "");
