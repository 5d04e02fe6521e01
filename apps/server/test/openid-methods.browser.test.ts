import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { notEmpty } from "../../../testing/not-empty";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { withDocumentedApp } from "./documented-app";
import { addAuthenticator, fillSignIn, password, waitForAccount } from "./end-user";
import { submitForm } from "./forms";
import { type PagesServer, type PagesTenant, usePages } from "./running-pages";
import { cookiesOf } from "./running-service";

const email = "ada@example.com";

/** Turns on the second factor of the user, without a browser. */
async function enrollSecondFactor(server: PagesServer, tenant: PagesTenant): Promise<string> {
	const post = (path: string, body: object, cookie = "") =>
		fetch(`${server.baseUrl}/api/auth${path}`, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				"x-tenant-id": tenant.id,
				origin: server.baseUrl,
				cookie,
			},
			body: JSON.stringify(body),
		});
	const cookie = cookiesOf(await post("/tenant/sign-in/email", { email, password }));
	const started = await post("/two-factor/enable", { method: "totp", password }, cookie);
	const { totpURI } = (await started.json()) as { totpURI: string };
	const verified = await post("/two-factor/verify-totp", { code: totpOf(totpURI) }, cookie);
	expect(verified.status).toBe(200);
	return totpURI;
}

describe.skipIf(!services.browser)("an authorization request is continued after", () => {
	const open = useChromium();
	const pages = usePages();

	test("a second factor", async () => {
		const server = await pages();
		const { tenant, origin, hello } = await withDocumentedApp(server, { firstParty: true });
		const uri = await enrollSecondFactor(server, tenant);
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await fillSignIn(page, email);
		await page.getByRole("heading", { name: "Two-step verification" }).waitFor();
		await page.getByLabel("Code", { exact: true }).fill("000000");
		await page.getByRole("button", { name: "Verify" }).click();
		await page.getByRole("alert").filter({ hasText: "This code is not right." }).waitFor();
		await page.getByLabel("Code", { exact: true }).fill(totpOf(uri));
		await page.getByRole("button", { name: "Verify" }).click();
		await page.getByText(hello).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/`);
		expect(problems).toEqual([]);
	});

	test("a second factor that the tenant requires is set up", async () => {
		const server = await pages();
		const { tenant, origin, hello } = await withDocumentedApp(server, { firstParty: true });
		const secondFactor = { required: true };
		await server.manage("/policy/update", { tenantId: tenant.id, secondFactor });
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await fillSignIn(page, email);
		await page.getByText("Acme requires a second step at sign-in.").waitFor();
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByLabel("Password", { exact: true }).fill(password);
		await page.getByRole("button", { name: "Continue" }).click();
		const key = (await page.locator(".setup-key code").textContent()) ?? "";
		const code = totpOf(`otpauth://totp/x?secret=${key.replaceAll(" ", "")}`);
		await page.getByLabel("Code", { exact: true }).fill(code);
		await page.getByRole("button", { name: "Turn on" }).click();
		await page.getByRole("button", { name: "I have saved them" }).click();
		await page.getByText(hello).waitFor();
		expect(problems).toEqual([]);
	});

	test("a passkey", async () => {
		const server = await pages();
		const { tenant, origin, hello } = await withDocumentedApp(server, { firstParty: true });
		const { page, problems } = await open(server.baseUrl, [origin]);
		await addAuthenticator(page);
		await page.goto(`/t/${tenant.slug}/sign-in`);
		await fillSignIn(page, email);
		await page.getByRole("button", { name: "Add a passkey" }).click();
		await page.getByRole("button", { name: /^Remove Chrome on / }).waitFor();
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();

		await page.goto(`${origin}/sign-in`);
		await page.getByRole("button", { name: "Sign in with a passkey" }).click();
		await page.getByText(hello).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/`);
		expect(problems).toEqual([]);
	});

	test("a link from an email, with the consent of the user", async () => {
		const server = await pages();
		const { origin, hello } = await withDocumentedApp(server);
		const { page, problems } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await page.getByRole("link", { name: "Email me a sign-in link" }).click();
		await submitForm(page, "Send link", { Email: email });
		await page.getByText(`If an account exists for ${email}`).waitFor();
		await page.goto(await server.emailedLink(email));
		await page.getByRole("button", { name: "Sign in", exact: true }).click();
		await page.getByRole("button", { name: "Allow", exact: true }).click();
		await page.getByText(hello).waitFor();
		await expect.poll(() => page.url()).toBe(`${origin}/`);
		expect(problems).toEqual([]);
	});

	test("a new password", async () => {
		const server = await pages();
		const { origin, hello } = await withDocumentedApp(server, { firstParty: true });
		const { page } = await open(server.baseUrl, [origin]);
		await page.goto(`${origin}/sign-in`);
		await page.getByRole("link", { name: "Forgot your password?" }).click();
		await submitForm(page, "Send link", { Email: email });
		await page.getByText(`If an account exists for ${email}`).waitFor();
		await page.goto(await server.emailedLink(email));
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Save password" }).click();
		await page.getByRole("link", { name: "Sign in" }).click();
		await fillSignIn(page, email, "another horse battery");
		await expect.poll(() => page.getByText(hello).isVisible()).toBe(true);
	});
});

describe.skipIf(!services.browser)("a sign-out without an ID token", () => {
	const open = useChromium();
	const pages = usePages();

	test("is confirmed on a page, and can return to the app", async () => {
		const server = await pages();
		const { tenant, origin, application } = await withDocumentedApp(server, { firstParty: true });
		const { page, problems } = await open(server.baseUrl, [origin]);
		const isSignedIn = async () => {
			await page.goto(`/t/${tenant.slug}/account`);
			await page.getByRole("heading", { name: /^(Account|Sign in)$/ }).waitFor();
			return (await page.getByRole("heading", { name: "Account", exact: true }).count()) === 1;
		};
		await page.goto(`/t/${tenant.slug}/sign-in`);
		await fillSignIn(page, email);
		await waitForAccount(page);
		await page.goto(`/t/${tenant.slug}/oauth2/end-session`);
		await page.getByText("An app asks to sign you out of Acme.").waitFor();
		expect(await checkPage(page, "tenant-sign-out")).toEqual([]);
		await page.getByRole("link", { name: "Stay signed in" }).click();
		await waitForAccount(page);

		const query = new URLSearchParams({
			client_id: application.clientId,
			post_logout_redirect_uri: `${origin}/`,
		});
		await page.goto(`/t/${tenant.slug}/oauth2/end-session?${query}`);
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.waitForURL(`${origin}/`);
		expect(await isSignedIn()).toBe(false);

		// Nobody is signed in any more, and the page is old.
		await page.goto(`/t/${tenant.slug}/oauth2/end-session`);
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.goto(`/t/${tenant.slug}/sign-out?from=app`);
		await page.getByRole("button", { name: "Sign out", exact: true }).click();
		await page.getByText("This took too long.").waitFor();
		await page.goto(`/t/${tenant.slug}/sign-out`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();

		// An app that is not registered.
		query.set("client_id", "nobody");
		await page.goto(`/t/${tenant.slug}/oauth2/end-session?${query}`);
		await page.getByRole("heading", { name: "The app sent a wrong request" }).waitFor();
		expect(problems).toEqual([]);
	});
});

// cspell:disable
const TITLES: Record<string, [unknown: string, redirect: string, disabled: string]> = {
	en: [
		"This app is not registered here",
		"The app’s return address is not registered",
		"This app is turned off",
	],
	de: [
		"Diese App ist hier nicht registriert",
		"Die Rücksprungadresse der App ist nicht registriert",
		"Diese App ist abgeschaltet",
	],
	es: [
		"Esta aplicación no está registrada aquí",
		"La dirección de retorno de la aplicación no está registrada",
		"Esta aplicación está desactivada",
	],
	fr: [
		"Cette application n’est pas enregistrée ici",
		"L’adresse de retour de l’application n’est pas enregistrée",
		"Cette application est désactivée",
	],
	ja: [
		"このアプリは登録されていません",
		"アプリの戻り先が登録されていません",
		"このアプリは無効になっています",
	],
};
// cspell:enable

describe.skipIf(!services.browser)("a wrong authorization request", () => {
	const open = useChromium();
	const pages = usePages();

	const request = (page: Page, { slug }: PagesTenant, clientId: string, redirectUri: string) =>
		page.goto(
			`/t/${slug}/oauth2/authorize?${new URLSearchParams({
				response_type: "code",
				scope: "openid",
				state: "x",
				code_challenge: "c".repeat(43),
				code_challenge_method: "S256",
				client_id: clientId,
				redirect_uri: redirectUri,
			})}`,
		);

	test("ends on a page that says what is wrong with the app, in every language", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const redirectUris = ["https://app.example.com/callback"];
		const body = { tenantId: tenant.id, name: "Notes", type: "web", redirectUris };
		const create = () => server.manage<{ clientId: string }>("/application/create", body);
		const [good, off] = [await create(), await create()];
		const { clientId } = off;
		await server.manage("/application/update", { tenantId: tenant.id, clientId, disabled: true });
		for (const [language, [unknown, redirect, disabled]] of notEmpty(Object.entries(TITLES))) {
			const { page, problems } = await open(server.baseUrl, [], language);
			const titled = (name: string) => page.getByRole("heading", { name }).waitFor();
			await request(page, tenant, "nobody", "https://app.example.com/callback");
			await titled(unknown);
			if (language === "en") expect(await checkPage(page, "tenant-app-unknown")).toEqual([]);
			await request(page, tenant, good.clientId, "https://evil.example/callback");
			await titled(redirect);
			await request(page, tenant, clientId, "https://app.example.com/callback");
			await titled(disabled);
			expect(problems).toEqual([]);
		}
	});
});
