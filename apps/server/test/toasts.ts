/** A page that runs this first notes the texts of all its toasts. */
export const NOTE_TOASTS = `
	globalThis.shownToasts = [];
	new MutationObserver((changes) => {
		for (const { addedNodes } of changes) {
			for (const node of addedNodes) {
				if (node.classList?.contains("toast")) shownToasts.push(node.textContent);
			}
		}
	}).observe(document, { childList: true, subtree: true });
`;

/** In a page: whether it has shown a toast with this text. The next call does not find the same one. */
export function takeToast(text: string): boolean {
	const { shownToasts } = globalThis as unknown as { shownToasts: string[] };
	const index = shownToasts.findIndex((shown) => shown.includes(text));
	return index >= 0 && shownToasts.splice(index, 1).length > 0;
}
