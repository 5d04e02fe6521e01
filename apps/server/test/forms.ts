import type { Page } from "playwright-core";

/**
 * Fills the form that this button submits, and submits it. Two pages can have a field with the same label, and the
 * old page stays until the new one has loaded: a field that is found by its label alone may be on the wrong page.
 */
export async function submitForm(
	page: Page,
	button: string,
	values: Record<string, string>,
): Promise<void> {
	const submit = page.getByRole("button", { name: button, exact: true });
	const form = page.locator("form").filter({ has: submit });
	for (const [label, value] of Object.entries(values)) {
		await form.getByLabel(label, { exact: true }).fill(value);
	}
	await submit.click();
}
