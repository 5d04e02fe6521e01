// @vitest-environment happy-dom
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { setPageLanguage } from "../../src/sign-in/texts/languages";
import { loadPageTexts, loadTexts } from "../../src/sign-in/texts/load";
import { adasAccount } from "../support/fixtures/adas-account";
import { openTenantPage } from "../support/open-tenant-page";
import { byLabel, findByLabel, findByRole, textOf } from "../support/screen";
import { until } from "../support/time";
import { choose, type } from "../support/user";

// A page loads its language in real time, and not by the clock of the tests: here it is loaded before.
beforeAll(() => Promise.all([loadTexts("de"), loadTexts("fr")]));

const page = document.documentElement;

beforeEach(() => {
	const { lang, dir } = page;
	onTestFinished(() => {
		Object.assign(page, { lang, dir });
		// biome-ignore lint/suspicious/noDocumentCookie: the page writes it so
		document.cookie = "tenant-auth-language=; path=/; max-age=0";
	});
});

describe("the choice of a language", () => {
	test("has every language by its own name", async () => {
		await openTenantPage("/sign-in");
		const select = await findByLabel("Language");
		const names = [...select.querySelectorAll("option")].map((option) => [
			option.lang,
			textOf(option),
		]);
		expect(names).toEqual([
			["en", "English"],
			["de", "Deutsch"],
			["fr", "Français"],
			["es", "Español"],
			["ja", "日本語"],
		]);
		expect(select.value).toBe("en");
	});

	test("changes the page at once, keeps what the user typed, and is remembered", async () => {
		await openTenantPage("/sign-in");
		await type("Email", "ada@acme.example");
		await choose("Language", "Deutsch");
		await findByRole("heading", "Anmelden");
		expect(byLabel("E-Mail-Adresse").value).toBe("ada@acme.example");
		expect(byLabel("Sprache").value).toBe("de");
		expect([page.lang, page.dir]).toEqual(["de", "ltr"]);
		expect(document.cookie).toContain("tenant-auth-language=de");
	});

	test("is on the page of the account too", async () => {
		await openTenantPage("/account", adasAccount);
		await findByRole("heading", "Account");
		await choose("Language", "Français");
		await until(() => page.lang === "fr");
		expect(await findByRole("heading", "Compte")).toBeTruthy();
	});
});

test("a page in a language that is written from right to left says so", () => {
	setPageLanguage("ar");
	expect([page.lang, page.dir]).toEqual(["ar", "rtl"]);
});

test("a page in a language that we do not have is in English", async () => {
	setPageLanguage("ar");
	expect((await loadPageTexts(page)).signIn.title).toBe("Sign in");
	expect([page.lang, page.dir]).toEqual(["en", "ltr"]);
});
