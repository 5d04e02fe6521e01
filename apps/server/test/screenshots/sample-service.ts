import { join } from "node:path";
import { chromium, type Page } from "playwright-core";
import { installed } from "../../../../testing/services";
import { startServer } from "../../src/server";
import { readSettings } from "../../src/settings/settings";
import { temporaryDirectory } from "../temporary-directory";
import { backdate } from "./backdate";
import type { ShownPage } from "./pages";
import { acmeLogo } from "./sample-data";
import { seed } from "./seed";

const managementKey = "management-key-for-screenshots";

const viewports = {
	desktop: { width: 1280, height: 800 },
	phone: { width: 390, height: 844 },
};

export type Device = keyof typeof viewports;
export type ColorScheme = "light" | "dark";

/** A service that has been in use for some time, and a browser. */
export async function startSampleService() {
	const clean: (() => unknown)[] = [];
	const close = async () => {
		for (const end of clean) await end();
	};
	const settings = readSettings(
		{
			PORT: process.env.PORT ?? "3000",
			BETTER_AUTH_SECRET: "a secret for screenshots with 32 characters: 8dK2!x",
			MANAGEMENT_KEYS: managementKey,
			DATA_DIR: temporaryDirectory((end) => clean.push(end)),
			LOG_LEVEL: "error",
			SAML: "true",
			GITHUB_CLIENT_ID: "client-of-the-service",
			GITHUB_CLIENT_SECRET: "secret-of-the-service",
		},
		"/",
	);
	const server = await startServer(settings);
	clean.unshift(server.close);
	const browser = await chromium.launch({
		executablePath: installed.browser as string,
		args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
	});
	clean.unshift(() => browser.close());
	const ids = await seed(server.baseUrl, managementKey).catch(async (error: unknown) => {
		await close();
		throw error;
	});
	backdate(join(settings.dataDir, "auth.db"), ids);

	const openPage = async (device: Device, colorScheme: ColorScheme): Promise<Page> => {
		const context = await browser.newContext({
			baseURL: server.baseUrl,
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
	};
	return { ids, openPage, close };
}

/** Opens a page, and waits until it has loaded. */
export async function show(page: Page, { path, prepare }: ShownPage): Promise<void> {
	await page.goto(path);
	await page.locator("h1").first().waitFor({ state: "attached" });
	await page.locator(".skeleton").first().waitFor({ state: "detached" });
	await prepare?.(page);
	await page.waitForTimeout(250);
}

export async function enterConsole(page: Page): Promise<void> {
	await page.goto("/console");
	const headers = { origin: new URL(page.url()).origin };
	const data = { key: managementKey };
	await page.request.post("/api/auth/operator/session/open", { headers, data });
}
