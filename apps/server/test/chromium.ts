import { join } from "node:path";
import axe, { type Result } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { services } from "../../../testing/services";
import { HANG } from "../../../testing/time-limits";
import { NOTE_TOASTS } from "./toasts";

const viewports = {
	phone: { width: 390, height: 844 },
	desktop: { width: 1280, height: 800 },
};

type Variant = [device: keyof typeof viewports, colorScheme: "light" | "dark"];

const twoVariants: Variant[] = [
	["desktop", "light"],
	["phone", "dark"],
];
const allVariants: Variant[] = [...twoVariants, ["desktop", "dark"], ["phone", "light"]];

/** Set it to get screenshots of the pages. */
const screenshotDirectory = process.env.TEST_SCREENSHOTS_DIR;

/**
 * A real browser for the suite. Each test opens its own pages in it.
 *
 * @param hosts names that lead to this machine, such as `*.example`
 */
export function useChromium(hosts: string[] = []) {
	let browser: Browser;
	const mapped = hosts.map((host) => `MAP ${host} 127.0.0.1`).join(",");
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: services.browser as string,
			args: [
				"--no-sandbox",
				"--disable-dev-shm-usage",
				"--disable-gpu",
				...(hosts.length > 0 ? [`--host-resolver-rules=${mapped}`] : []),
			],
			timeout: HANG,
		});
	});
	afterAll(() => browser?.close());

	/**
	 * A page with its own cookies, and the problems in it. A test expects no problems.
	 *
	 * @param visited other origins that it may navigate to, such as an identity provider
	 * @param locale the language of the browser
	 */
	return async (
		baseUrl: string,
		visited: string[] = [],
		locale = "en-US",
	): Promise<{ page: Page; problems: string[] }> => {
		const context = await browser.newContext({
			baseURL: baseUrl,
			viewport: viewports.desktop,
			locale,
			reducedMotion: "reduce",
		});
		context.setDefaultTimeout(HANG);
		await context.addInitScript(NOTE_TOASTS);
		onTestFinished(() => context.close());
		const page = await context.newPage();
		return { page, problems: watch(page, [new URL(baseUrl).origin, ...visited]) };
	};
}

/** Collects script errors, violations of the content security policy, and requests to other origins. */
function watch(page: Page, origins: string[]): string[] {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		// The browser logs every failed call. Often that is what the test is about.
		if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
		problems.push(message.text());
	});
	page.on("request", (request) => {
		const { origin } = new URL(request.url());
		// A navigation may leave the origin. A request of the page may not.
		const allowed = request.isNavigationRequest() ? origins : [new URL(page.url()).origin];
		if (!allowed.includes(origin)) problems.push(`request to ${request.url()}`);
	});
	return problems;
}

let checks = 0;

/**
 * Returns the problems that axe finds, and says if the page is too wide: light on
 * a desktop and dark on a phone. With a screenshot directory it also checks the other two variants.
 */
export const checkPage = (page: Page, name: string) => checkVariants(page, name, twoVariants);

/** Checks one of the two variants in turn. Enough for states that look alike on many pages. */
export function checkPageOnce(page: Page, name: string): Promise<string[]> {
	// Changes the order after each pair of calls. Tests check two states of each page, and neither
	// state should always get the same variant.
	const turn = (Math.floor(checks / 2) % 2) ^ (checks % 2);
	checks += 1;
	return checkVariants(page, name, [twoVariants[turn] as Variant]);
}

async function checkVariants(page: Page, name: string, variants: Variant[]): Promise<string[]> {
	await page.evaluate(axe.source);
	const found: string[] = [];
	for (const [device, colorScheme] of screenshotDirectory ? allVariants : variants) {
		await page.setViewportSize(viewports[device]);
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		const variant = `${name}-${device}-${colorScheme}`;
		for (const { id, impact, nodes } of await findViolations(page)) {
			found.push(
				`${variant}: ${id} (${impact}) at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
			);
		}
		if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) {
			found.push(`${variant}: wider than the screen`);
		}
		if (screenshotDirectory) {
			await page.screenshot({ path: join(screenshotDirectory, `${variant}.png`), fullPage: true });
		}
	}
	await page.setViewportSize(viewports.desktop);
	return found;
}

/** Holds requests back, so that the page stays in its loading state. */
export async function holdRequests(page: Page, requests: string): Promise<() => Promise<void>> {
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

/** Answers requests with an error. */
export async function rejectRequests(page: Page, requests: string): Promise<() => Promise<void>> {
	const json = { code: "VALIDATION_ERROR", message: "Not now" };
	await page.route(requests, (route) => route.fulfill({ status: 400, json }));
	return () => page.unroute(requests);
}

/** Only violations: axe needs most of its time for what passed. */
const findViolations = (page: Page): Promise<Result[]> =>
	page.evaluate(
		"axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
	);
