/** What all charts share: they are read in light and dark pages, and need no script. */
export const WIDTH = 860;

export const COLORS = [
	"#2f6fde",
	"#d9730d",
	"#2a9d6f",
	"#b4439b",
	"#8a8f1f",
	"#7257d6",
	"#c23b3b",
	"#3a99b0",
];

const escapeXml = (text: string) =>
	text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

export const round = (value: number) => Math.round(value * 10) / 10;

export function text(
	x: number,
	y: number,
	content: string,
	{ anchor = "start", kind = "" }: { anchor?: "start" | "middle" | "end"; kind?: string } = {},
): string {
	const style = kind ? ` class="${kind}"` : "";
	return `<text x="${round(x)}" y="${round(y)}" text-anchor="${anchor}"${style}>${escapeXml(content)}</text>`;
}

export const line = (x1: number, y1: number, x2: number, y2: number, kind: string) =>
	`<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" class="${kind}"/>`;

export function frame(title: string, height: number, content: string[]): string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeXml(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #333 }
.title { font-size: 15px; font-weight: 600 }
.small { font-size: 11px; fill: #666 }
.grid { stroke: #ddd }
.limit { stroke: #c23b3b; stroke-dasharray: 6 4 }
.limit-text { font-size: 11px; fill: #c23b3b }
.whisker { stroke: #333 }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .small { fill: #aaa } .grid { stroke: #444 } .whisker { stroke: #ddd }
}
</style>
${text(10, 22, title, { kind: "title" })}
${content.join("\n")}
</svg>
`;
}

/** Round numbers from `from` to at least `max`. */
export function ticks(from: number, max: number): number[] {
	const rough = (max - from) / 5;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = ([1, 2, 2.5, 5, 10].find((it) => it * power >= rough) ?? 10) * power;
	const marks = [];
	for (let mark = from; mark < max + step; mark += step) marks.push(Number(mark.toPrecision(10)));
	return marks;
}
