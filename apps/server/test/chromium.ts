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

/** Set it to a directory to look at the pages after a run. */
const screenshotDirectory = process.env.TEST_SCREENSHOTS_DIR;

/** A real browser for the suite; each test opens pages of its own in it. */
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
	 * A page with cookies of its own, and what went wrong in it: there should be nothing.
	 *
	 * @param visited origins that it may lead to, such as an identity provider's
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

/** Errors of scripts, refusals of the content security policy, and requests to anybody else. */
function watch(page: Page, origins: string[]): string[] {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		// That a call was refused is the browser's own remark, and often what the test is about.
		if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
		problems.push(message.text());
	});
	page.on("request", (request) => {
		const { origin } = new URL(request.url());
		// Going somewhere is one thing, a page that asks somebody else another.
		const own = request.isNavigationRequest() ? origins : [new URL(page.url()).origin];
		if (!own.includes(origin)) problems.push(`request to ${request.url()}`);
	});
	return problems;
}

let glances = 0;

/**
 * What axe finds serious or critical, and whether the page fits: in daylight on a desktop, in the dark
 * on a phone. Takes pictures, then of the other two as well, where a directory for them is set.
 */
export const inspect = (page: Page, name: string) => look(page, name, twoLooks);

/** The same by turns in the one or the other light, for what many pages have in common. */
export function glance(page: Page, name: string): Promise<string[]> {
	// In pairs, so that of two states of each page neither is always in the same light.
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

/** Keeps what is asked for waiting, so that the page stays as it is while it loads. */
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

/** Has what is asked for refused. */
export async function refuse(page: Page, requests: string): Promise<() => Promise<void>> {
	const json = { code: "VALIDATION_ERROR", message: "Not now" };
	await page.route(requests, (route) => route.fulfill({ status: 400, json }));
	return () => page.unroute(requests);
}

/** Without what passed, which takes axe most of its time. */
const findViolations = (page: Page): Promise<Result[]> =>
	page.evaluate(
		"axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)",
	);
