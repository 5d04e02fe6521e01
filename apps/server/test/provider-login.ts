import type { Page } from "playwright-core";
import type { Person } from "../../../packages/tenant-auth/test/support/identity-provider";

/** Logs a person in at the identity provider where the page is, and lets it tell who they are. */
export async function passProvider(page: Page, { email, password }: Person): Promise<void> {
	await page.locator("[name=login]").fill(email);
	await page.locator("[name=password]").fill(password);
	await submit(page);
	await page.locator("[name=decision]").fill("allow");
	await submit(page);
}

/** Its forms have no button. */
const submit = (page: Page) => page.locator("form").evaluate("document.forms[0].submit()");
