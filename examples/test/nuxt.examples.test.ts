import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { chooseWorkspace, signIn, signUp } from "./account-forms";
import { guessPassword } from "./guesses";
import { findTypeErrors, startExample } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/nuxt", () => {
	const open = useChromium();

	test("one email is two users at two tenants", async () => {
		const { url } = await startExample("nuxt");
		const { page, problems } = await open(url);
		for (const tenant of ["Acme", "Globex"]) {
			await page.goto("/");
			await chooseWorkspace(page, tenant.toLowerCase());
			await signUp(page, `Ada of ${tenant}`, `the password at ${tenant}`);
		}
		expect(await checkPage(page, "nuxt-account")).toEqual([]);

		// The session of Globex does not count at Acme, and neither does the password.
		await page.goto("/acme");
		await signIn(page, "the password at Globex");
		await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();

		await page.goto("/globex");
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Create account" }).waitFor();
		await page.reload();
		await page.getByRole("button", { name: "Create account" }).waitFor();

		expect((await page.goto("/unknown"))?.status()).toBe(404);
		expect(problems).toEqual([]);

		expect(await guessPassword(url)).toBe(429);
		expect(findTypeErrors("nuxt")).toBe("");
	});
});
