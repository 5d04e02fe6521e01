import { join } from "node:path";
import axe, { type Result } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { services } from "../../../testing/services";
import { HANG } from "../../../testing/time-limits";

const viewports = {
	phone: { width: 390, height: 844 },
	desktop: { width: 1280, height: 800 },
};

type Look = [device: keyof typeof viewports, colorScheme: "light" | "dark"];

const twoLooks: Look[] = [
	["desktop", "light"],
	["phone", "dark"],
];
const allLooks: Look[] = [...twoLooks, ["desktop", "dark"], ["phone", "light"]];

/** Set the variable to a directory to keep screenshots of the pages. */
const screenshotDirectory = process.env.TEST_SCREENSHOTS_DIR;

/** A real browser for the suite. Each test opens its own pages. */
export function useChromium() {
	let browser: Browser;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: services.browser as string,
			args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
			timeout: HANG,
		});
	});
	afterAll(() => browser?.close());

	/**
	 * Opens a page with its own cookies, and collects the problems in it.
	 *
	 * @param visited other origins that it may navigate to, such as an identity provider
	 */
	return async (
		baseUrl: string,
		visited: string[] = [],
	): Promise<{ page: Page; problems: string[] }> => {
		const context = await browser.newContext({
			baseURL: baseUrl,
			viewport: viewports.desktop,
			locale: "en-GB",
			reducedMotion: "reduce",
		});
		context.setDefaultTimeout(HANG);
		onTestFinished(() => context.close());
		const page = await context.newPage();
		return { page, problems: watch(page, [new URL(baseUrl).origin, ...visited]) };
	};
}

/** Script errors, violations of the content security policy, and requests to other origins. */
function watch(page: Page, origins: string[]): string[] {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		// The browser reports failed requests by itself. Tests cause them on purpose.
		if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
		problems.push(message.text());
	});
	page.on("request", (request) => {
		const { origin } = new URL(request.url());
		// A page may navigate to the visited origins, but may send requests only to its own.
		const own = request.isNavigationRequest() ? origins : [new URL(page.url()).origin];
		if (!own.includes(origin)) problems.push(`request to ${request.url()}`);
	});
	return problems;
}

let glances = 0;

/**
 * Returns serious and critical violations that axe finds, and whether the page is too wide: light on a
 * desktop, dark on a phone. With a screenshot directory it takes screenshots of all four variants.
 */
export const inspect = (page: Page, name: string) => look(page, name, twoLooks);

/** The same with only one of the two variants in turn, for states that many pages share. */
export function glance(page: Page, name: string): Promise<string[]> {
	// Alternates in pairs, so that of two states of each page neither always has the same variant.
	const turn = (Math.floor(glances / 2) % 2) ^ (glances % 2);
	glances += 1;
	return look(page, name, [twoLooks[turn] as Look]);
}

async function look(page: Page, name: string, looks: Look[]): Promise<string[]> {
	await page.evaluate(axe.source);
	const found: string[] = [];
	for (const [device, colorScheme] of screenshotDirectory ? allLooks : looks) {
		await page.setViewportSize(viewports[device]);
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		const seen = `${name}-${device}-${colorScheme}`;
		for (const { id, impact, nodes } of await findViolations(page)) {
			if (impact !== "serious" && impact !== "critical") continue;
			found.push(`${seen}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
		}
		if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) {
			found.push(`${seen}: wider than the screen`);
		}
		if (screenshotDirectory) {
			await page.screenshot({ path: join(screenshotDirectory, `${seen}.png`), fullPage: true });
		}
	}
	await page.setViewportSize(viewports.desktop);
	return found;
}

/** Delays requests, so that the page stays in its loading state. */
export async function hold(page: Page, requests: string): Promise<() => Promise<void>> {
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	await page.route(requests, async (route) => {
		await held;
		await route.fallback();
	});
	onTestFinished(() => release());
	return async () => {
		release();
		await page.unroute(requests);
	};
}

/** Lets requests fail. */
export async function refuse(page: Page, requests: string): Promise<() => Promise<void>> {
	const json = { code: "VALIDATION_ERROR", message: "Not now" };
	await page.route(requests, (route) => route.fulfill({ status: 400, json }));
	return () => page.unroute(requests);
}

/** Only violations: the other results take axe most of its time. */
const findViolations = (page: Page): Promise<Result[]> =>
	page.evaluate(
		"axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
	);
