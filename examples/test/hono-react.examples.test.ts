import { describe, expect, test } from "vitest";
import { checkPage, useChromium } from "../../apps/server/test/chromium";
import { services } from "../../testing/services";
import { guessPassword } from "./guesses";
import { startExample } from "./running-example";

describe.skipIf(!services.examples || !services.browser)("examples/hono-react", () => {
	const open = useChromium();

	test("each tenant has its own users and notes", async () => {
		const { url } = await startExample("hono-react");
		const { page, problems } = await open(url);
		for (const tenant of ["Acme", "Globex"]) {
			await page.goto("/");
			await page.getByLabel("Workspace").fill(tenant.toLowerCase());
			await page.getByRole("button").click();
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
		expect(await page.getByRole("listitem").allTextContents()).toEqual(["A note of Globex"]);

		// The session of Globex does not count at Acme, and neither does the password.
		await page.goto("/acme");
		const form = page.locator("form", { hasText: "Sign in" });
		await form.getByLabel("Email").fill("ada@example.com");
		await form.getByLabel("Password").fill("the password at Globex");
		await form.getByRole("button").click();
		await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
		const notes = await page.request.get("/api/notes", {
			headers: { "x-tenant-id": "no-such-tenant" },
		});
		expect(notes.status()).toBe(404);

		await page.goto("/globex");
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Create account" }).waitFor();
		expect((await page.request.get("/api/notes")).status()).toBe(401);

		await page.goto("/unknown");
		await page.getByRole("alert").filter({ hasText: "There is no such workspace" }).waitFor();
		expect(problems).toEqual([]);

		expect(await guessPassword(url)).toBe(429);
	});
});
