import type { Page } from "playwright-core";
import { expect } from "vitest";
import { submitForm } from "./forms";
import { operatorPassword } from "./operator-accounts";
import { managementKey } from "./running-service";
import { takeToast } from "./toasts";

/** The tab that selects this sign-in method has the same name. */
export const keyField = (page: Page) =>
	page.getByLabel("Management key").and(page.locator(".control"));

/** Selects the sign-in with a key. */
export const chooseKey = (page: Page): Promise<void> =>
	page.getByText("Management key", { exact: true }).first().click();

/** Signs in to the console with the management key. */
export async function enterConsole(page: Page, path = "/console"): Promise<void> {
	await page.goto(path);
	await chooseKey(page);
	await keyField(page).fill(managementKey);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByRole("button", { name: "Sign out" }).first().waitFor();
}

/** The first step of the sign-in of an operator. */
export async function typePassword(page: Page, email: string): Promise<void> {
	await submitForm(page, "Sign in", { Email: email, Password: operatorPassword });
}

/** Types the expected text into the confirmation dialog, and confirms. */
export async function confirm(page: Page, expected: string, action: string): Promise<void> {
	const dialog = page.getByRole("dialog");
	const button = dialog.getByRole("button", { name: action });
	await expect.poll(() => button.isDisabled()).toBe(true);
	await dialog.getByRole("textbox").fill(expected);
	await button.click();
	await dialog.waitFor({ state: "detached" });
}

/** Selects all rows of a list, when they are there. */
export const selectAll = (page: Page): Promise<void> =>
	page
		.locator("table:not([aria-busy])")
		.getByRole("checkbox", { name: "Select all on this page" })
		.check();

/**
 * Waits until a toast with this text has been shown. It is gone after some seconds, maybe before a busy machine looks,
 * and one of an earlier change may still be there. So each counts for one wait.
 */
export const waitForToast = (page: Page, text: string): Promise<void> =>
	expect.poll(() => page.evaluate(takeToast, text)).toBe(true);
