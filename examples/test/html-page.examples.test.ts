import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { fillSignIn, fillSignUp } from "../../apps/server/test/end-user";
import { temporaryDirectory } from "../../apps/server/test/temporary-directory";
import { freePort } from "../../testing/ports";
import { services } from "../../testing/services";
import { startExample } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/html-page", () => {
	const open = useChromium();

	test("signs users of two tenants in at the service, and out", async () => {
		const servicePort = await freePort();
		const { url } = await startExample("html-page", {
			SERVICE_PORT: String(servicePort),
			DATA_DIR: temporaryDirectory(),
		});
		const service = `http://localhost:${servicePort}`;
		const { page, problems } = await open(url, [service]);
		await page.goto("/");
		for (const workspace of ["acme", "globex"]) {
			await page.getByLabel("Workspace").fill(workspace);
			await page.getByRole("button", { name: "Sign in" }).click();
			await page.getByRole("link", { name: "Create an account" }).click();
			await expect.poll(() => page.url()).toContain(`${service}/t/${workspace}/`);
			await fillSignUp(page, "ada@example.com");
			await page.getByText("Hello Ada Lovelace").waitFor();
			// No code stays in the address.
			await expect.poll(() => page.url()).toBe(`${url}/`);
			await page.getByRole("button", { name: "Sign out" }).click();
			await page.getByLabel("Workspace").waitFor();
		}
		await page.getByRole("button", { name: "Sign in" }).click();
		await fillSignIn(page, "ada@example.com");
		await page.getByText("Hello Ada Lovelace").waitFor();
		expect(await checkPage(page, "html-page")).toEqual([]);

		// After a reload, the session at the service is enough.
		await page.reload();
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("Hello Ada Lovelace").waitFor();

		const calls = `request to ${service}/t/`;
		expect(problems.filter((problem) => !problem.startsWith(calls))).toEqual([]);

		await page.reload();
		await page.getByLabel("Workspace").fill("unknown");
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("There is no such workspace").waitFor();
	});
});
