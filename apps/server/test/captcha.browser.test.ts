import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, fillSignUp, waitForAccount } from "./end-user";
import { useCaptchaProvider } from "./fake-captcha-provider";
import { runningPages } from "./running-pages";

/** Where each provider has its script, and the frame with its challenge. */
const PROVIDERS = {
	turnstile: {
		name: "turnstile",
		script: "https://challenges.cloudflare.com",
		frame: "https://challenges.cloudflare.com/cdn-cgi/challenge",
	},
	hcaptcha: {
		name: "hcaptcha",
		script: "https://js.hcaptcha.com",
		frame: "https://newassets.hcaptcha.com/captcha",
	},
	recaptcha: {
		name: "grecaptcha",
		script: "https://www.google.com",
		frame: "https://www.google.com/recaptcha/api2/anchor",
	},
};

/** A script with the interface of the three. Its challenge solves itself. */
const scriptOf = (name: string, frame: string) => `
	let solutions = 0;
	const widgets = [];
	const solve = (id) => widgets[id].callback("solved " + name + ++solutions);
	const name = "${name}-${Math.random()}-";
	window.${name} = {
		render: (box, options) => {
			const challenge = document.createElement("iframe");
			challenge.src = "${frame}";
			challenge.title = "Challenge";
			${name === "grecaptcha" ? `box.innerHTML = '<div style="width: 300px"></div>';` : ""}
			box.append(challenge);
			const id = widgets.push(options) - 1;
			challenge.onload = () => solve(id);
			return id;
		},
		reset: solve,
		remove: () => {},
	};
	window[new URL(document.currentScript.src).searchParams.get("onload")]();
`;

describe.skipIf(!services.browser)("a captcha in Chromium", () => {
	const open = useChromium();
	const provider = useCaptchaProvider();

	test.each(["turnstile", "hcaptcha", "recaptcha"] as const)(
		"of %s lets a user sign up and in, within the content security policy",
		async (kind) => {
			const { name, script, frame } = PROVIDERS[kind];
			const server = await runningPages(
				{ CAPTCHA: kind, CAPTCHA_SITE_KEY: "site-key", CAPTCHA_SECRET_KEY: "secret-key" },
				{ captchaVerifyUrl: provider.verifyUrl },
			);
			const { slug } = await server.newTenant("Acme");
			const { page, problems } = await open(server.baseUrl, [script, new URL(frame).origin]);
			await page.route(`${frame}**`, (route) =>
				route.fulfill({
					contentType: "text/html",
					body: "<!doctype html><title>Challenge</title>",
				}),
			);
			await page.route(`${script}/**/api.js*`, (route) =>
				route.fulfill({ contentType: "text/javascript", body: scriptOf(name, frame) }),
			);
			const isSolved = () => page.frameLocator("iframe").locator("html").waitFor();

			await page.goto(`/t/${slug}/sign-up`);
			await isSolved();
			expect(await checkPage(page, `captcha-${kind}`)).toEqual([]);
			await fillSignUp(page, "ada@example.com");
			await waitForAccount(page);
			await page.getByRole("button", { name: "Sign out" }).click();
			await isSolved();
			// Each attempt has a solution of its own.
			await fillSignIn(page, "ada@example.com", "not the password");
			await page.getByRole("alert").filter({ hasText: "Incorrect email or password." }).waitFor();
			await fillSignIn(page, "ada@example.com");
			await waitForAccount(page);
			expect(new Set(provider.seen.map(({ response }) => response)).size).toBe(3);
			// All that the page loads from elsewhere, once for both forms.
			expect(problems).toEqual([expect.stringContaining(`request to ${script}/`)]);
		},
	);

	test("that a content blocker stops says what to do, and lets nobody in", async () => {
		const server = await runningPages(
			{ CAPTCHA: "turnstile", CAPTCHA_SITE_KEY: "site-key", CAPTCHA_SECRET_KEY: "secret-key" },
			{ captchaVerifyUrl: provider.verifyUrl },
		);
		const { slug } = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl, ["https://challenges.cloudflare.com"]);
		await page.route("https://challenges.cloudflare.com/**", (route) => route.abort());
		await page.goto(`/t/${slug}/sign-in`);
		await page.getByText("Turn off content blockers").waitFor();
		await fillSignIn(page, "ada@example.com");
		await page.getByText("Confirm that you are a person").waitFor();
		expect(provider.seen).toEqual([]);
	});
});
