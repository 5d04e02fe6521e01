const BROWSERS: [RegExp, string][] = [
	[/Edg(?:e|A|iOS)?\//, "Edge"],
	[/OPR\//, "Opera"],
	[/(?:Firefox|FxiOS)\//, "Firefox"],
	[/(?:Headless)?Chrom(?:e|ium)\/|CriOS\//, "Chrome"],
	[/Safari\//, "Safari"],
	[/^curl\//, "curl"],
	[/^node/i, "Node"],
];
const SYSTEMS: [RegExp, string][] = [
	[/iPhone|iPad/, "iOS"],
	[/Android/, "Android"],
	[/Windows/, "Windows"],
	[/Mac OS X|Macintosh/, "macOS"],
	[/Linux/, "Linux"],
];

const nameIn = (names: [RegExp, string][], text: string) =>
	names.find(([pattern]) => pattern.test(text))?.[1];

/** `Firefox on Linux`, of what a browser says of itself. */
export function browserName(userAgent: string | null): string {
	if (!userAgent) return "Unknown";
	const browser = nameIn(BROWSERS, userAgent) ?? userAgent.slice(0, 40);
	const system = nameIn(SYSTEMS, userAgent);
	return system ? `${browser} on ${system}` : browser;
}
