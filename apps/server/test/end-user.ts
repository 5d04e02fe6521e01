import type { Page } from "playwright-core";
import { expect } from "vitest";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { checkPage } from "./chromium";
import { submitForm } from "./forms";

/** What the end users of the browser tests do on a tenant's pages. */
export const password = "correct horse battery";

export const waitForAccount = (page: Page) =>
	page.getByRole("heading", { name: "Account", exact: true }).waitFor();

export async function fillSignUp(page: Page, email: string): Promise<void> {
	await submitForm(page, "Create account", {
		Name: "Ada Lovelace",
		Email: email,
		Password: password,
	});
}

export async function fillSignIn(page: Page, email: string, typed = password): Promise<void> {
	await submitForm(page, "Sign in", { Email: email, Password: typed });
}

/**
 * Gives the browser an authenticator that always agrees.
 *
 * @param autofill whether the browser lists passkeys at a field. This authenticator agrees there at once, as if
 *   the user had chosen one, so that nobody could press the button.
 */
export async function addAuthenticator(page: Page, { autofill = false } = {}): Promise<void> {
	if (!autofill) {
		await page.addInitScript("delete window.PublicKeyCredential.isConditionalMediationAvailable");
	}
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("WebAuthn.enable");
	await devtools.send("WebAuthn.addVirtualAuthenticator", {
		options: {
			protocol: "ctap2",
			transport: "internal",
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true,
		},
	});
}

/** What an authenticator app shows for the key on the page. */
async function codeOnPage(page: Page): Promise<{ code: string; uri: string }> {
	const key = await page.locator(".setup-key code").textContent();
	const uri = `otpauth://totp/x?secret=${(key ?? "").replaceAll(" ", "")}`;
	return { code: totpOf(uri), uri };
}

/** Sets up an authenticator app. */
export async function enroll(page: Page): Promise<{ uri: string; recovery: string[] }> {
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByLabel("Password", { exact: true }).fill(password);
	await page.getByRole("button", { name: "Continue" }).click();
	await page.getByRole("img", { name: "QR code for the authenticator app" }).waitFor();
	expect(await checkPage(page, "tenant-second-factor-scan")).toEqual([]);
	await page.getByLabel("Code", { exact: true }).fill("000000");
	await page.getByRole("button", { name: "Turn on" }).click();
	await page.getByRole("alert").filter({ hasText: "This code is not right." }).waitFor();
	const { code, uri } = await codeOnPage(page);
	await page.getByLabel("Code", { exact: true }).fill(`${code.slice(0, 3)} ${code.slice(3)}`);
	await page.getByRole("button", { name: "Turn on" }).click();
	await page.getByRole("heading", { name: "Save your recovery codes" }).waitFor();
	expect(await checkPage(page, "tenant-recovery-codes")).toEqual([]);
	const recovery = await page.locator(".recovery-codes code").allTextContents();
	await page.getByRole("button", { name: "I have saved them" }).click();
	return { uri, recovery };
}
