// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json } from "../support/answers";
import { adasSession } from "../support/fixtures/sessions";
import { openServicePage, openTenantPage } from "../support/open-tenant-page";
import { allByRole, byRole, findByRole, findTexts, textOf } from "../support/screen";
import { until } from "../support/time";

describe("the error page of a tenant", () => {
	test("says what went wrong, and leads back to the sign-in page", async () => {
		await openTenantPage("/error?error=access_denied&prompt=login");
		await findTexts("Sign-in canceled", "Error code for your administrator: access_denied");
		expect(byRole("link", "Back to sign-in").getAttribute("href")).toBe(
			"/t/acme/sign-in?prompt=login",
		);
	});

	test("leads a signed-in user back to the account", async () => {
		await openTenantPage("/error?error=unable_to_link_account", {
			"GET /get-session": json(adasSession),
		});
		const link = await findByRole("link", "Back to your account");
		expect(link.getAttribute("href")).toBe("/t/acme/account");
	});

	test("shows no text that somebody else wrote into the URL", async () => {
		await openTenantPage("/error?error=Call%20555-0100&error_description=Send%20us%20money");
		await findTexts("Could not sign in");
		expect(textOf(document.body)).not.toMatch(/555|money/);
	});
});

describe("the page for a target that the service does not trust", () => {
	test("stops, and offers no way to sign in", async () => {
		await openTenantPage("/sign-in?callbackURL=https%3A%2F%2Fevil.example");
		await findTexts("This link is not safe", "INVALID_CALLBACK_URL");
		expect(allByRole("button", "Sign in")).toEqual([]);
		expect(allByRole("link")).toEqual([]);
	});
});

describe("the error page of the service", () => {
	test("says what went wrong without the brand of a tenant", async () => {
		await openServicePage("/error?error=state_not_found");
		await findTexts("Sign-in expired", "state_not_found");
		expect(textOf(document.body)).not.toContain("Acme");
	});

	test("leads to the error page of the tenant whose pages were open in this tab", async () => {
		sessionStorage.setItem("tenant-pages.base", "/t/acme");
		await openServicePage("/error?error=state_not_found");
		await until(() => location.pathname === "/t/acme/error");
		expect(`${location.pathname}${location.search}`).toBe("/t/acme/error?error=state_not_found");
	});

	test.each(["//evil.example", "/t/acme/../../console", "https://evil.example"])(
		"does not lead to a stored value that is not a tenant: %s",
		async (stored) => {
			sessionStorage.setItem("tenant-pages.base", stored);
			await openServicePage("/error?error=state_not_found");
			await findTexts("Sign-in expired");
			expect(location.pathname).toBe("/error");
		},
	);
});
