import type { Page } from "playwright-core";
import type { Person } from "../../../packages/tenant-auth/test/support/providers/identity-provider";

/** Signs a person in on the current page of the identity provider, and gives consent. */
export async function passProvider(page: Page, { email, password }: Person): Promise<void> {
	await page.locator("[name=login]").fill(email);
	await page.locator("[name=password]").fill(password);
	await submit(page);
	await page.locator("[name=decision]").fill("allow");
	await submit(page);
}

/** The forms have no button. */
const submit = (page: Page) => page.locator("form").evaluate("document.forms[0].submit()");
