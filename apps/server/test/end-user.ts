import type { Page } from "playwright-core";

/** What the end users of the browser tests do on a tenant's pages. */
export const password = "correct horse battery";

export const waitForAccount = (page: Page) =>
	page.getByRole("heading", { name: "Account", exact: true }).waitFor();

export async function fillSignUp(page: Page, email: string): Promise<void> {
	await page.getByLabel("Name", { exact: true }).fill("Ada Lovelace");
	await page.getByLabel("Email", { exact: true }).fill(email);
	await page.getByLabel("Password", { exact: true }).fill(password);
	await page.getByRole("button", { name: "Create account" }).click();
}

export async function fillSignIn(page: Page, email: string, typed = password): Promise<void> {
	await page.getByLabel("Email", { exact: true }).fill(email);
	await page.getByLabel("Password", { exact: true }).fill(typed);
	await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Gives the browser an authenticator that always agrees. */
export async function addAuthenticator(page: Page): Promise<void> {
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
