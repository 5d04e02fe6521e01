import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { services } from "../../../../testing/services";
import { startServer } from "../../src/server";
import { readSettings } from "../../src/settings/settings";
import { temporaryDirectory } from "../temporary-directory";
import { backdate } from "./backdate";
import { consolePages, consoleSignIn, type ShownPage, tenantPages } from "./pages";
import { acmeLogo } from "./sample-data";
import { seed } from "./seed";

const managementKey = "management-key-for-screenshots";
const viewports = {
	desktop: { width: 1280, height: 800 },
	phone: { width: 390, height: 844 },
};

/** Takes screenshots of every page with sample data: `npm run screenshots -- <directory> [part of a name]`. */
async function main([directory = "screenshots", only = ""]: string[]) {
	mkdirSync(directory, { recursive: true });
	const clean: (() => unknown)[] = [];
	const settings = readSettings(
		{
			PORT: process.env.PORT ?? "3000",
			BETTER_AUTH_SECRET: "a secret for screenshots with 32 characters: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			DATA_DIR: temporaryDirectory((end) => clean.push(end)),
			LOG_LEVEL: "error",
			GITHUB_CLIENT_ID: "client-of-the-service",
			GITHUB_CLIENT_SECRET: "secret-of-the-service",
		},
		"/",
	);
	const server = await startServer(settings);
	clean.unshift(server.close);
	const browser = await chromium.launch({
		executablePath: services.browser as string,
		args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
	});
	clean.unshift(() => browser.close());
	try {
		const ids = await seed(server.baseUrl, managementKey);
		backdate(join(settings.dataDir, "auth.db"), ids);
		for (const device of ["desktop", "phone"] as const) {
			for (const colorScheme of ["light", "dark"] as const) {
				const page = await openPage(browser, server.baseUrl, device, colorScheme);
				const take = async ({ name, path, prepare, isDialog = false }: ShownPage) => {
					if (!name.includes(only)) return;
					await page.goto(path);
					await page.locator("h1").first().waitFor({ state: "attached" });
					await page.locator(".skeleton").first().waitFor({ state: "detached" });
					await prepare?.(page);
					await page.waitForTimeout(250);
					const file = `${name}-${device}-${colorScheme}.png`;
					await page.screenshot({ path: resolve(directory, file), fullPage: !isDialog });
				};
				for (const shown of tenantPages) await take(shown);
				await take(consoleSignIn);
				await enterConsole(page);
				for (const shown of consolePages(ids)) await take(shown);
				await page.context().close();
			}
		}
	} finally {
		for (const end of clean) await end();
	}
}

async function openPage(
	browser: Browser,
	baseURL: string,
	device: keyof typeof viewports,
	colorScheme: "light" | "dark",
): Promise<Page> {
	const context = await browser.newContext({
		baseURL,
		viewport: viewports[device],
		deviceScaleFactor: device === "phone" ? 2 : 1,
		hasTouch: device === "phone",
		colorScheme,
		reducedMotion: "reduce",
		locale: "en-US",
	});
	await context.route("https://acme.example/logo.svg", (route) =>
		route.fulfill({ contentType: "image/svg+xml", body: acmeLogo }),
	);
	return context.newPage();
}

async function enterConsole(page: Page): Promise<void> {
	await page.goto("/console");
	const headers = { origin: new URL(page.url()).origin };
	const data = { key: managementKey };
	await page.request.post("/api/auth/operator/session/open", { headers, data });
}

await main(process.argv.slice(2));
