const browsers: [RegExp, string][] = [
	[/\bEdg(?:e|A|iOS)?\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\b(?:Firefox|FxiOS)\//, "Firefox"],
	[/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
	[/\bSafari\//, "Safari"],
	[/^curl\//, "curl"],
	[/^node\b/, "Node.js"],
];

const systems: [RegExp, string][] = [
	[/\biPhone\b/, "iPhone"],
	[/\biPad\b/, "iPad"],
	[/\bAndroid\b/, "Android"],
	[/\bWindows\b/, "Windows"],
	[/\bMac OS X\b/, "macOS"],
	[/\bCrOS\b/, "ChromeOS"],
	[/\bLinux\b/, "Linux"],
];

/** Enough for somebody to know a device of theirs, such as "Firefox on Windows". */
export function deviceOf(userAgent: string | null | undefined): string {
	const named = (list: [RegExp, string][]) =>
		list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
	const browser = named(browsers);
	const system = named(systems);
	if (browser && system) return `${browser} on ${system}`;
	return browser ?? system ?? "Unknown device";
}
