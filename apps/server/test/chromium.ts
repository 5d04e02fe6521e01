import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { services } from "../../../testing/services";

const viewports = {
	phone: { width: 390, height: 844 },
	desktop: { width: 1280, height: 800 },
};

/** Set it to a directory to look at the pages after a run. */
const screenshotDirectory = process.env.TEST_SCREENSHOTS_DIR;

/** A real browser for the suite; each test opens pages of its own in it. */
export function useChromium() {
	let browser: Browser;
	beforeAll(async () => {
		browser = await chromium.launch({
			executablePath: services.browser as string,
			args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
		});
	});
	afterAll(() => browser?.close());

	/** A page with cookies of its own, and what went wrong in it: there should be nothing. */
	return async (baseUrl: string): Promise<{ page: Page; problems: string[] }> => {
		const context = await browser.newContext({
			baseURL: baseUrl,
			viewport: viewports.desktop,
			locale: "en-GB",
			reducedMotion: "reduce",
		});
		onTestFinished(() => context.close());
		const page = await context.newPage();
		return { page, problems: watch(page) };
	};
}

/** Errors of scripts, refusals of the content security policy, and requests to anybody else. */
function watch(page: Page): string[] {
	const problems: string[] = [];
	page.on("pageerror", (error) => problems.push(error.message));
	page.on("console", (message) => {
		// That a call was refused is the browser's own remark, and often what the test is about.
		if (message.type() !== "error" || /Failed to load resource/.test(message.text())) return;
		problems.push(message.text());
	});
	page.on("request", (request) => {
		const own = new URL(page.url() === "about:blank" ? request.url() : page.url()).origin;
		if (new URL(request.url()).origin !== own) problems.push(`request to ${request.url()}`);
	});
	return problems;
}

/**
 * What axe finds serious or critical, in both themes, on a phone and on a desktop; takes a picture of
 * each where a directory for them is set.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
	await page.evaluate(axe.source);
	const found: string[] = [];
	for (const [device, size] of Object.entries(viewports)) {
		for (const colorScheme of ["light", "dark"] as const) {
			await page.setViewportSize(size);
			await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
			const results = (await page.evaluate("axe.run()")) as AxeResults;
			for (const { id, impact, nodes } of results.violations) {
				if (impact !== "serious" && impact !== "critical") continue;
				const where = nodes.map(({ target }) => target.join(" ")).join(", ");
				found.push(`${name}, ${device}, ${colorScheme}: ${id} at ${where}`);
			}
			if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) {
				found.push(`${name}, ${device}: wider than the screen`);
			}
			if (screenshotDirectory) {
				const path = join(screenshotDirectory, `${name}-${device}-${colorScheme}.png`);
				await page.screenshot({ path, fullPage: true });
			}
		}
	}
	await page.setViewportSize(viewports.desktop);
	return found;
}
