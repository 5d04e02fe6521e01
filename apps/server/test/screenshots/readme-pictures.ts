import { fileURLToPath } from "node:url";
import { consolePages, tenantPages } from "./pages";
import {
	type ColorScheme,
	type Device,
	enterConsole,
	show,
	startSampleService,
} from "./sample-service";

type Picture = { file: string; page: string; device: Device; colorScheme: ColorScheme };

/** The pictures of the README, and the pages that they show. */
const PICTURES: Picture[] = [
	{ file: "console-overview", page: "console-overview", device: "desktop", colorScheme: "light" },
	{ file: "tenant-providers", page: "console-providers", device: "desktop", colorScheme: "dark" },
	{ file: "tenant-sign-in-phone", page: "tenant-sign-in", device: "phone", colorScheme: "light" },
	{ file: "tenant-account-phone", page: "tenant-account", device: "phone", colorScheme: "dark" },
];

const directory = new URL("../../../../docs/images/", import.meta.url);

/** As high as the first page of the console needs. */
const CONSOLE_SIZE = { width: 1280, height: 830 };

/** Takes the pictures of the README again: `npm run pictures`. */
async function main() {
	const { ids, openPage, close } = await startSampleService();
	const pages = [...tenantPages, ...consolePages(ids)];
	try {
		for (const { file, page: name, device, colorScheme } of PICTURES) {
			const shown = pages.find((one) => one.name === name);
			if (!shown) throw new Error(`There is no page ${name}`);
			const page = await openPage(device, colorScheme);
			if (name.startsWith("console-")) {
				await page.setViewportSize(CONSOLE_SIZE);
				await enterConsole(page);
			}
			await show(page, shown);
			// The focus is of no interest, and the pointer may be over something.
			await page.mouse.move(0, 0);
			await page.screenshot({ path: fileURLToPath(new URL(`${file}.png`, directory)) });
			await page.context().close();
		}
	} finally {
		await close();
	}
}

await main();
