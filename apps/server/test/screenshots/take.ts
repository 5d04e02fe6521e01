import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { consolePages, consoleSignIn, type ShownPage, tenantPages } from "./pages";
import { enterConsole, show, startSampleService } from "./sample-service";

/** Takes screenshots of every page with sample data: `npm run screenshots -- <directory> [part of a name]`. */
async function main([directory = "screenshots", only = ""]: string[]) {
	mkdirSync(directory, { recursive: true });
	const { ids, openPage, close } = await startSampleService();
	try {
		for (const device of ["desktop", "phone"] as const) {
			for (const colorScheme of ["light", "dark"] as const) {
				const page = await openPage(device, colorScheme);
				const take = async (shown: ShownPage) => {
					if (!shown.name.includes(only)) return;
					await show(page, shown);
					const path = resolve(directory, `${shown.name}-${device}-${colorScheme}.png`);
					await page.screenshot({ path, fullPage: !shown.isDialog });
				};
				for (const shown of tenantPages) await take(shown);
				await take(consoleSignIn);
				await enterConsole(page);
				for (const shown of consolePages(ids)) await take(shown);
				await page.context().close();
			}
		}
	} finally {
		await close();
	}
}

await main(process.argv.slice(2));
