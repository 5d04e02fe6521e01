import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPageOnce, useChromium } from "./chromium";
import { password } from "./end-user";
import { submitForm } from "./forms";
import { usePages } from "./running-pages";
import { asManager } from "./running-service";

type Words = {
	lang: string;
	signIn: string;
	email: string;
	password: string;
	wrong: string;
	account: string;
	notFound: string;
	forgot: string;
	sendLink: string;
	subject: string;
};

const languages: [string, Words][] = [
	[
		"de-AT",
		{
			lang: "de",
			signIn: "Anmelden",
			email: "E-Mail-Adresse",
			password: "Passwort",
			wrong: "E-Mail-Adresse oder Passwort ist falsch.",
			account: "Konto",
			notFound: "Organisation nicht gefunden",
			forgot: "Passwort vergessen?",
			sendLink: "Link senden",
			subject: "Acme: neues Passwort wählen",
		},
	],
	[
		"fr-FR",
		{
			lang: "fr",
			signIn: "Se connecter",
			email: "Adresse e-mail",
			password: "Mot de passe",
			wrong: "Adresse e-mail ou mot de passe incorrect.",
			account: "Compte",
			notFound: "Organisation introuvable",
			forgot: "Mot de passe oublié ?",
			sendLink: "Envoyer le lien",
			subject: "Acme: choisissez un nouveau mot de passe",
		},
	],
	[
		"es-MX",
		{
			lang: "es",
			signIn: "Iniciar sesión",
			email: "Correo electrónico",
			password: "Contraseña",
			wrong: "El correo o la contraseña no son correctos.",
			account: "Cuenta",
			notFound: "Organización no encontrada",
			forgot: "¿Ha olvidado su contraseña?",
			sendLink: "Enviar enlace",
			subject: "Acme: elija una nueva contraseña",
		},
	],
	[
		"ja-JP",
		{
			lang: "ja",
			signIn: "ログイン",
			email: "メールアドレス",
			password: "パスワード",
			wrong: "メールアドレスまたはパスワードが正しくありません。",
			account: "アカウント",
			notFound: "組織が見つかりません",
			forgot: "パスワードをお忘れですか？",
			sendLink: "リンクを送信",
			subject: "Acme: 新しいパスワードの設定",
		},
	],
];

describe.skipIf(!services.browser)("the pages and emails of a tenant", () => {
	const open = useChromium();
	const pages = usePages({ GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" });

	test.each(languages)("are in the language of a browser in %s", async (locale, words) => {
		const server = await pages();
		const acme = await server.newTenant("Acme", { supportEmail: "help@acme.example" });
		const email = `${words.lang}@example.com`;
		await server.signUp(acme, email, password);
		const { page, problems } = await open(server.baseUrl, [], locale);
		const look = async (name: string) =>
			expect(await checkPageOnce(page, `tenant-${words.lang}-${name}`)).toEqual([]);
		await page.goto(`/t/${acme.slug}/sign-in`);
		const fill = (typed: string) =>
			submitForm(page, words.signIn, { [words.email]: email, [words.password]: typed });
		await fill("not the password");
		await page.getByRole("alert").filter({ hasText: words.wrong }).waitFor();
		await expect.poll(() => page.locator("html").getAttribute("lang")).toBe(words.lang);
		await look("sign-in");

		await page.getByRole("link", { name: words.forgot }).click();
		await submitForm(page, words.sendLink, { [words.email]: email });
		await page.getByText(email).waitFor();
		const [sent] = await server.call<{ subject: string; html: string }[]>(
			"/service/outbox",
			asManager,
		);
		expect(sent?.subject).toBe(words.subject);
		expect(sent?.html).toContain(`<html lang="${words.lang}">`);

		await page.goto(`/t/${acme.slug}/sign-in`);
		await fill(password);
		await page.getByRole("heading", { name: words.account, exact: true }).waitFor();
		await page.locator(".skeleton").first().waitFor({ state: "detached" });
		await look("account");
		await page.goto("/t/nobody");
		await page.getByRole("heading", { name: words.notFound }).waitFor();
		expect(problems).toEqual([]);
	});

	test("are in English for every other language", async () => {
		const server = await pages();
		const { slug } = await server.newTenant("Acme");
		const { page } = await open(server.baseUrl, [], "fi-FI");
		await page.goto(`/t/${slug}/sign-in`);
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await expect.poll(() => page.locator("html").getAttribute("lang")).toBe("en");
	});

	test("are in the language that the user chooses, also later", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", {
			termsUrl: "https://acme.example/terms",
			privacyUrl: "https://acme.example/privacy",
		});
		const { page, problems } = await open(server.baseUrl, [], "de-AT");
		await page.goto(`/t/${acme.slug}/sign-up?ui_locales=de`);
		await page.getByLabel("Name", { exact: true }).fill("Ada");
		await page.getByLabel("Sprache").selectOption("Français");
		await page.getByText("En créant un compte, vous acceptez les").waitFor();
		await expect.poll(() => page.getByLabel("Nom", { exact: true }).inputValue()).toBe("Ada");
		expect(await checkPageOnce(page, "tenant-language-chosen")).toEqual([]);
		await page.reload();
		await page.getByRole("heading", { name: "Créer un compte" }).waitFor();
		const html = page.locator("html");
		expect([await html.getAttribute("lang"), await html.getAttribute("dir")]).toEqual([
			"fr",
			"ltr",
		]);
		expect(problems).toEqual([]);
	});
});
