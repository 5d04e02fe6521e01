import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { chooseWorkspace } from "./account-forms";
import { guessPassword } from "./guesses";
import { startExample } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/express", () => {
	const open = useChromium();

	test("one email is two users at two tenants", async () => {
		const { url } = await startExample("express");
		const { page, problems } = await open(url);
		for (const [tenant, name] of [
			["Acme", "Ada of Acme"],
			["Globex", "Ada of Globex"],
		] as const) {
			await page.goto("/");
			await chooseWorkspace(page, tenant.toLowerCase());
			const form = page.locator("form", { hasText: "Create an account" });
			await form.getByLabel("Name").fill(name);
			await form.getByLabel("Email").fill("ada@example.com");
			await form.getByLabel("Password").fill(`the password at ${tenant}`);
			await form.getByRole("button").click();
			await page.getByText(`Hello, ${name} (ada@example.com).`).waitFor();
		}
		expect(await checkPage(page, "express-account")).toEqual([]);

		// The session of Globex does not count at Acme, and neither does the password.
		await page.goto("/acme");
		const form = page.locator("form", { hasText: "Sign in" });
		await form.getByLabel("Email").fill("ada@example.com");
		await form.getByLabel("Password").fill("the password at Globex");
		await form.getByRole("button").click();
		await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();

		await page.goto("/globex");
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Create account" }).waitFor();
		expect(problems).toEqual([]);

		expect(await guessPassword(url)).toBe(429);
	});
});
