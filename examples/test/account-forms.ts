import type { Page } from "playwright-core";

/** Fills a form of an example, and sends it. */
async function submit(page: Page, title: string, fields: Record<string, string>): Promise<void> {
	const form = page.locator("form", { hasText: title });
	for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value);
	await form.getByRole("button").click();
}

/** Creates an account with the email ada@example.com, and waits for the page of its user. */
export async function signUp(page: Page, Name: string, Password: string): Promise<void> {
	await submit(page, "Create an account", { Name, Email: "ada@example.com", Password });
	await page.getByText(`Hello, ${Name} (ada@example.com).`).waitFor();
}

/** Sends the form of ada@example.com. */
export const signIn = (page: Page, Password: string): Promise<void> =>
	submit(page, "Sign in", { Email: "ada@example.com", Password });

/** The home page asks for the tenant. It does not go to other sites. */
export async function chooseWorkspace(page: Page, slug: string): Promise<void> {
	const choose = async (text: string) => {
		await page.getByLabel("Workspace").fill(text);
		await page.getByRole("button", { name: "Continue" }).click();
	};
	await choose("/example.com");
	await choose(slug);
}
