import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { chooseWorkspace } from "./account-forms";
import { guessPassword } from "./guesses";
import { startExample } from "./running-example";

const statusOfNotes = (page: Page) => page.evaluate(async () => (await fetch("/api/notes")).status);

describe.skipIf(!services.examples || !services.browser)("examples/hono-react", () => {
	const open = useChromium();

	test("each tenant has its own users and notes", async () => {
		const { url, port } = await startExample("hono-react");
		const acme = `http://acme.localhost:${port}`;
		const globex = `http://globex.localhost:${port}`;
		const unknown = `http://unknown.localhost:${port}`;
		const { page, problems } = await open(url, [acme, globex, unknown]);
		for (const tenant of ["Acme", "Globex"]) {
			await page.goto("/");
			await chooseWorkspace(page, tenant.toLowerCase());
			const form = page.locator("form", { hasText: "Create an account" });
			await form.getByLabel("Name").fill(`Ada of ${tenant}`);
			await form.getByLabel("Email").fill("ada@example.com");
			await form.getByLabel("Password").fill(`the password at ${tenant}`);
			await form.getByRole("button").click();
			await page.getByText(`Hello, Ada of ${tenant} (ada@example.com).`).waitFor();
			await page.getByRole("heading", { name: `Notes of ${tenant}` }).waitFor();
			await page.getByLabel("New note").fill(`A note of ${tenant}`);
			await page.getByRole("button", { name: "Add" }).click();
			await page.getByText(`A note of ${tenant}`).waitFor();
		}
		expect(await checkPage(page, "hono-react-account")).toEqual([]);
		await page.reload();
		await page.getByText("A note of Globex").waitFor();
		await expect
			.poll(() => page.getByRole("listitem").allTextContents())
			.toEqual(["A note of Globex"]);

		// Both stay signed in.
		await page.goto(acme);
		await page.getByText("A note of Acme").waitFor();
		await expect
			.poll(() => page.getByRole("listitem").allTextContents())
			.toEqual(["A note of Acme"]);

		// The session of Globex does not count at Acme, even if the browser sends it there.
		const session = await page.context().cookies(globex);
		await page.context().clearCookies({ domain: "acme.localhost" });
		await page
			.context()
			.addCookies(session.map((cookie) => ({ ...cookie, domain: "acme.localhost" })));
		await page.goto(acme);
		// Neither does the password.
		const form = page.locator("form", { hasText: "Sign in" });
		await form.getByLabel("Email").fill("ada@example.com");
		await form.getByLabel("Password").fill("the password at Globex");
		await form.getByRole("button").click();
		await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
		expect(await statusOfNotes(page)).toBe(401);

		await page.goto(globex);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Create account" }).waitFor();
		expect(await statusOfNotes(page)).toBe(401);

		await page.goto(unknown);
		await page.getByRole("alert").filter({ hasText: "There is no such workspace" }).waitFor();
		expect(problems).toEqual([]);

		expect(await guessPassword(url)).toBe(429);
	});
});
