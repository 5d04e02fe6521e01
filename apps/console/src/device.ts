const BROWSERS: [RegExp, string][] = [
	[/\bEdg(?:e|A|iOS)?\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\b(?:Firefox|FxiOS)\//, "Firefox"],
	[/\b(?:HeadlessChrome|Chrome|Chromium|CriOS)\//, "Chrome"],
	[/\bSafari\//, "Safari"],
	[/^curl\//, "curl"],
	[/^node\b/, "Node.js"],
];

const SYSTEMS: [RegExp, string][] = [
	[/\biPhone\b/, "iPhone"],
	[/\biPad\b/, "iPad"],
	[/\bAndroid\b/, "Android"],
	[/\bWindows\b/, "Windows"],
	[/\bMac OS X\b/, "macOS"],
	[/\bCrOS\b/, "ChromeOS"],
	[/\bLinux\b/, "Linux"],
];

const english = {
	browserOn: (browser: string, system: string) => `${browser} on ${system}`,
	unknown: "Unknown device",
};

/** Enough for a user to recognize a device, such as "Firefox on Windows". */
export function describeDevice(userAgent: string | null | undefined, texts = english): string {
	const find = (list: [RegExp, string][]) =>
		list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
	const browser = find(BROWSERS);
	const system = find(SYSTEMS);
	if (browser && system) return texts.browserOn(browser, system);
	return browser ?? system ?? texts.unknown;
}
