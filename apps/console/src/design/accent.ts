type Rgb = [number, number, number];

const SURFACES = { light: "#ffffff", dark: "#17191f" } as const;

/** https://www.w3.org/TR/WCAG22/#non-text-contrast */
const MARK_CONTRAST = 3;

/** Enough to see where a button ends. Its text says what it is. */
const EDGE_CONTRAST = 1.5;

/**
 * Makes a brand color the accent of the page. Buttons have exactly this color, and their text is black or
 * white. The color may be white or black itself, so links and marks use a lighter or darker version of it
 * that can be seen in both themes.
 */
export function applyAccent(
	color: string | undefined,
	{ style }: HTMLElement = document.documentElement,
): void {
	const set = (name: string, value: string | undefined) =>
		value ? style.setProperty(name, value) : style.removeProperty(name);
	set("--fill", color);
	set("--on-fill", color && readableOn(color));
	for (const [theme, surface] of Object.entries(SURFACES)) {
		set(`--edge-${theme}`, color && visibleOn(surface, color, EDGE_CONTRAST));
		set(`--mark-${theme}`, color && visibleOn(surface, color, MARK_CONTRAST));
		set(`--link-${theme}`, color && visibleOn(surface, color, theme === "dark" ? 7 : 5.2));
	}
}

/** The color itself, or the nearest one toward black or white that has the contrast. */
export function visibleOn(surface: string, color: string, contrast: number): string {
	const target: Rgb = luminance(parse(surface)) > 0.5 ? [0, 0, 0] : [255, 255, 255];
	for (let step = 0; step <= 20; step++) {
		const mixed = mix(parse(color), target, step / 20);
		if (contrastOf(format(mixed), surface) >= contrast) return format(mixed);
	}
	return format(target);
}

/**
 * A CSS color for a mark: the color itself, or the nearest one that is visible in each theme. A mark in
 * black or gray has the color of the text.
 */
export function visibleInBothThemes(color: string): string {
	const rgb = parse(color);
	if (Math.max(...rgb) - Math.min(...rgb) < 16) return "currentColor";
	return `light-dark(${visibleOn(SURFACES.light, color, MARK_CONTRAST)}, ${visibleOn(SURFACES.dark, color, MARK_CONTRAST)})`;
}

/** White or black, whichever is easier to read. */
export function readableOn(fill: string): string {
	const black = "#000000";
	const white = contrastOf("#ffffff", fill);
	return white >= 4.5 || white >= contrastOf(black, fill) ? "#ffffff" : black;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
export function contrastOf(a: string, b: string): number {
	const [high, low] = [luminance(parse(a)), luminance(parse(b))].sort((x, y) => y - x) as [
		number,
		number,
	];
	return (high + 0.05) / (low + 0.05);
}

function luminance(rgb: Rgb): number {
	const [r, g, b] = rgb.map((value) => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	}) as Rgb;
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
	return from.map((value, i) => Math.round(value + ((to[i] as number) - value) * share)) as Rgb;
}

function parse(color: string): Rgb {
	const value = Number.parseInt(color.slice(1), 16);
	return [value >> 16, (value >> 8) & 255, value & 255];
}

function format(rgb: Rgb): string {
	return `#${rgb.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
