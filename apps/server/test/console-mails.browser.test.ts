import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole, waitForToast } from "./console-driver";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("emails in the console", () => {
	const open = useChromium();
	const pages = usePages();

	test("the text of an email is edited with a preview, saved and reset", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/emails`);
		await page.getByText("This is the built-in text.").waitFor();
		const preview = page.getByRole("region", { name: "Preview" });
		await preview.getByText("Acme: verify your email").waitFor();
		// The layout of the email, in spite of the page's content security policy.
		const button = preview.getByText("Verify email", { exact: true });
		// A line of text alone is half as high.
		await expect.poll(async () => (await button.boundingBox())?.height).toBeGreaterThan(40);
		await expect.poll(() => button.getAttribute("href")).toBeNull();

		await page.getByLabel("Email", { exact: true }).selectOption("Invitation");
		await page.getByLabel("Language", { exact: true }).selectOption("German");
		await preview.getByText("Sie sind eingeladen").first().waitFor();
		const text = page.getByLabel("Text", { exact: true });
		await text.fill("Hallo {{you}}");
		await preview.getByText(/"\{\{you\}\}" is not possible here/).waitFor();
		await expect
			.poll(() => page.getByRole("button", { name: "Save text" }).isDisabled())
			.toBe(true);
		await text.fill("Guten Tag,\n\nkommen Sie zu {{tenant}}.\n\n{{link}}");
		await preview.getByText("kommen Sie zu Acme.", { exact: true }).waitFor();
		expect(await checkPage(page, "console-mails")).toEqual([]);
		await page.getByRole("button", { name: "Save text" }).click();
		await waitForToast(page, "Saved.");
		await page.getByText("The tenant's own text, changed").waitFor();
		await page.reload();
		await preview.getByText("kommen Sie zu Acme.", { exact: true }).waitFor();
		await page.getByRole("option", { name: "German (changed)" }).waitFor({ state: "attached" });

		await page.getByRole("button", { name: "Reset" }).click();
		await page.getByRole("dialog").getByRole("button", { name: "Reset" }).click();
		await page.getByText("This is the built-in text.").waitFor();
		expect(problems).toEqual([]);
	});
});
