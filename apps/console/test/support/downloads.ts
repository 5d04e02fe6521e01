import { onTestFinished, vi } from "vitest";

export type Saved = { name: string; content: Blob };

/** What the browser would save as files. */
export function watchDownloads(): Saved[] {
	const saved: Saved[] = [];
	const contents: Blob[] = [];
	const create = vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
		contents.push(content as Blob);
		return "blob:content";
	});
	const follow = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
		this: HTMLAnchorElement,
	) {
		const content = contents.at(-1);
		if (content) saved.push({ name: this.download, content });
	});
	onTestFinished(() => {
		create.mockRestore();
		follow.mockRestore();
	});
	return saved;
}

/** The lines of the only file that was saved. */
export async function linesOf(saved: Saved[]): Promise<string[]> {
	const [file] = saved;
	return (await file?.content.text())?.trimEnd().split("\r\n") ?? [];
}
