import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { fillSignIn, fillSignUp, password, waitForAccount } from "./end-user";
import { submitForm } from "./forms";
import { startOtherSite } from "./other-site";
import { type PagesTenant, runningPages } from "./running-pages";

describe.skipIf(!services.browser)("an app that sends its users with callbackURL", () => {
	const open = useChromium();

	async function start(environment: Record<string, string> = {}) {
		const app = await startOtherSite("<h1>The app</h1>");
		const server = await runningPages({ TRUSTED_ORIGINS: app, ...environment });
		const acme = await server.newTenant("Acme");
		const target = `${app}/welcome?a=1&b=2`;
		// The query of an authorization request: the pages do not know it.
		const request = { callbackURL: target, client_id: "1", sig: "a+b/c=" };
		const pathOf = (page: string, more: Record<string, string> = {}) =>
			`/t/${acme.slug}/${page}?${new URLSearchParams({ ...request, ...more })}`;
		const opened = await open(server.baseUrl, [app]);
		return { app, server, acme, target, request, pathOf, ...opened };
	}

	const waitForApp = (page: Page) => page.getByRole("heading", { name: "The app" }).waitFor();

	async function signIn(page: Page, { slug }: PagesTenant, email: string) {
		await page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(page, email);
		await waitForAccount(page);
	}

	test("gets a user who is signed in already without a form, unless it asks for one", async () => {
		const { app, server, acme, target, pathOf, page, problems } = await start();
		await server.signUp(acme, "ada@example.com", password);
		await signIn(page, acme, "ada@example.com");
		for (const path of ["sign-in", "sign-up", ""]) {
			await page.goto(pathOf(path));
			await waitForApp(page);
			await expect.poll(() => page.url()).toBe(target);
		}
		await page.goto(pathOf("sign-in", { prompt: "login" }));
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await page.goto(pathOf("account"));
		await page.getByRole("link", { name: `Back to ${new URL(app).host}` }).click();
		await waitForApp(page);
		expect(problems).toEqual([]);
	});

	test("gets its user back after a sign-up, with its own query on every page before", async () => {
		const { target, request, pathOf, page, problems } = await start();
		const expectQuery = () =>
			expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual(request);
		await page.goto(pathOf(""));
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		expectQuery();
		await page.getByRole("link", { name: "Forgot your password?" }).click();
		await page.getByRole("link", { name: "Back to sign-in" }).click();
		expectQuery();
		await page.getByRole("link", { name: "Create an account" }).click();
		expectQuery();
		await fillSignUp(page, "new@example.com");
		await waitForApp(page);
		await expect.poll(() => page.url()).toBe(target);
		expect(problems).toEqual([]);
	});

	test("gets its user back after a forgotten password", async () => {
		const { server, acme, target, pathOf, page, problems } = await start();
		await server.signUp(acme, "ada@example.com", password);
		await page.goto(pathOf("sign-in"));
		await page.getByRole("link", { name: "Forgot your password?" }).click();
		await submitForm(page, "Send link", { Email: "ada@example.com" });
		await page.getByRole("heading", { name: "Check your email" }).waitFor();
		await page.goto(await server.emailedLink("ada@example.com"));
		await page.getByLabel("New password", { exact: true }).fill("another horse battery");
		await page.getByRole("button", { name: "Save password" }).click();
		await page.getByRole("link", { name: "Sign in" }).click();
		await fillSignIn(page, "ada@example.com", "another horse battery");
		await waitForApp(page);
		await expect.poll(() => page.url()).toBe(target);
		expect(problems).toEqual([]);
	});

	test("gets its user back after the email is verified, also in another browser", async () => {
		const { app, server, target, pathOf, page, problems } = await start({
			REQUIRE_EMAIL_VERIFICATION: "true",
		});
		await page.goto(pathOf("sign-up"));
		await fillSignUp(page, "new@example.com");
		await page.getByText("We sent a link to new@example.com").waitFor();
		const link = await server.emailedLink("new@example.com");
		const verify = "Verify your email";
		await page.goto(link.replace(/token%3D[^%&]+/, "token%3Dunknown"));
		await page.getByRole("button", { name: verify }).click();
		await page.getByRole("heading", { name: "This link is not valid" }).waitFor();
		const { page: phone } = await open(server.baseUrl, [app]);
		await phone.goto(link);
		await phone.getByRole("button", { name: verify }).click();
		await waitForApp(phone);
		await expect.poll(() => phone.url()).toBe(target);
		// The first browser goes on with its own sign-in.
		await page.getByRole("link", { name: "Back to sign-in" }).click();
		await fillSignIn(page, "new@example.com");
		await waitForApp(page);
		await expect.poll(() => page.url()).toBe(target);
		expect(problems).toEqual([]);
	});
});
