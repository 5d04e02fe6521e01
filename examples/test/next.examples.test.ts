import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { chooseWorkspace, signIn, signUp } from "./account-forms";
import { startExample } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/next", () => {
	const open = useChromium();

	test("one email is two users at two hosts", async () => {
		const { url, port } = await startExample("next");
		const acme = `http://acme.localhost:${port}`;
		const globex = `http://globex.localhost:${port}`;
		const unknown = `http://unknown.localhost:${port}`;
		const { page, problems } = await open(url, [acme, globex, unknown]);
		for (const tenant of ["Acme", "Globex"]) {
			await page.goto("/");
			await chooseWorkspace(page, tenant.toLowerCase());
			await signUp(page, `Ada of ${tenant}`, `the password at ${tenant}`);
		}
		expect(new URL(page.url()).origin).toBe(globex);
		expect(await checkPage(page, "next-account")).toEqual([]);

		// The session of Globex does not count at Acme, even if the browser sends it there.
		const session = await page.context().cookies(globex);
		await page.context().clearCookies();
		await page
			.context()
			.addCookies(session.map((cookie) => ({ ...cookie, domain: "acme.localhost" })));
		await page.goto(acme);
		await page.getByRole("button", { name: "Create account" }).waitFor();
		// Neither does the password.
		await signIn(page, "the password at Globex");
		await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
		await signIn(page, "the password at Acme");
		await page.getByText("Hello, Ada of Acme (ada@example.com).").waitFor();

		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Create account" }).waitFor();
		await page.reload();
		await page.getByRole("button", { name: "Create account" }).waitFor();

		expect((await page.goto(unknown))?.status()).toBe(404);
		expect(problems).toEqual([]);
	});
});
