import { join } from "node:path";
import axe, { type AxeResults } from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { services } from "../../../testing/services";

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
 * What axe finds serious or critical, and whether the page fits: in daylight on a desktop, in the dark
 * on a phone. Takes pictures, then of the other two as well, where a directory for them is set.
 */
export async function inspect(page: Page, name: string): Promise<string[]> {
	await page.evaluate(axe.source);
	const found: string[] = [];
	for (const [device, colorScheme] of screenshotDirectory ? allLooks : twoLooks) {
		await page.setViewportSize(viewports[device]);
		await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
		const look = `${name}-${device}-${colorScheme}`;
		const results = (await page.evaluate("axe.run()")) as AxeResults;
		for (const { id, impact, nodes } of results.violations) {
			if (impact !== "serious" && impact !== "critical") continue;
			found.push(`${look}: ${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
		}
		if (await page.evaluate("document.documentElement.scrollWidth > innerWidth")) {
			found.push(`${look}: wider than the screen`);
		}
		if (screenshotDirectory) {
			await page.screenshot({ path: join(screenshotDirectory, `${look}.png`), fullPage: true });
		}
	}
	await page.setViewportSize(viewports.desktop);
	return found;
}
