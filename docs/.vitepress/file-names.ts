import type { MarkdownRenderer } from "vitepress";

/** Shows the name of a block such as "```ts auth.ts" above it, so that a reader knows where it goes. */
export function fileNames(renderer: MarkdownRenderer): void {
	const render = renderer.renderer.rules.fence;
	renderer.renderer.rules.fence = (tokens, index, ...rest) => {
		const [, name] = tokens[index]?.info.trim().split(/\s+/) ?? [];
		const block = render?.(tokens, index, ...rest) ?? "";
		return name ? `<p class="file-name">${renderer.utils.escapeHtml(name)}</p>${block}` : block;
	};
}
