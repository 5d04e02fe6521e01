import { expect } from "vitest";
import { checkPage, type useChromium } from "../../apps/server/test/chromium";
import { chooseWorkspace, signIn, signUp } from "./account-forms";
import { guessPassword } from "./guesses";
import { startExample } from "./running-example";

/**
 * Checks an example with the pages `/acme` and `/globex`: one email is two users, and neither a session nor
 * a password of one tenant counts at the other. Returns the URL of the example.
 */
export async function checkPathPerTenant(
	example: string,
	open: ReturnType<typeof useChromium>,
): Promise<string> {
	const { url } = await startExample(example);
	const { page, problems } = await open(url);
	for (const tenant of ["Acme", "Globex"]) {
		await page.goto("/");
		await chooseWorkspace(page, tenant.toLowerCase());
		await signUp(page, `Ada of ${tenant}`, `the password at ${tenant}`);
	}
	expect(await checkPage(page, `${example}-account`)).toEqual([]);

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
	return url;
}
