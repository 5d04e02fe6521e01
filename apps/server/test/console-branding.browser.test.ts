import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole, waitForToast } from "./console-driver";
import { usePages } from "./running-pages";
import { png } from "./sample-images";

const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="10"><rect width="40" height="10" fill="#c2410c"/></svg>`;

describe.skipIf(!services.browser)("branding in the console", () => {
	const open = useChromium();
	const pages = usePages({ GITHUB_CLIENT_ID: "client-of-the-service", GITHUB_CLIENT_SECRET: "x" });

	test("the real sign-in page shows each value before it is saved", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/branding`);
		const preview = page.frameLocator("iframe");
		await preview.getByText("Continue with GitHub").waitFor();
		await page.getByLabel("Tagline").fill("Everything for coyotes");
		await preview.getByText("Everything for coyotes").waitFor();
		await page.getByLabel("Support email").fill("help@acme.example");
		await preview.getByText("help@acme.example").waitFor();
		await page.getByLabel("Primary color", { exact: true }).fill("#0f766e");
		const inPreview = (script: string) => page.frames()[1]?.evaluate(script);
		const background = () =>
			inPreview("getComputedStyle(document.querySelector('[type=submit]')).backgroundColor");
		await expect.poll(background).toBe("rgb(15, 118, 110)");
		await expect.poll(() => page.title()).toBe("Branding · Acme · Tenant Auth");
		expect(await checkPage(page, "console-branding")).toEqual([]);

		await page.getByLabel("Primary color", { exact: true }).fill("#ffee00");
		await expect.poll(background).toBe("rgb(255, 238, 0)");
		expect(await checkPage(page, "console-branding-yellow")).toEqual([]);
		await page.getByText("Dark", { exact: true }).click();
		await expect.poll(background).toBe("rgb(255, 238, 0)");
		await page.getByText("Phone", { exact: true }).click();
		const width = () => inPreview("document.body.clientWidth");
		await expect.poll(width).toBe(390);
		expect(await checkPage(page, "console-branding-phone")).toEqual([]);

		// Nothing in it can be used.
		await page.getByRole("radio", { name: "Dark" }).focus();
		for (let presses = 0; presses < 4; presses++) await page.keyboard.press("Tab");
		expect(await page.evaluate("document.activeElement.tagName")).not.toBe("IFRAME");

		await page.getByLabel("Support email").fill("not an email");
		await expect
			.poll(() => page.getByRole("button", { name: "Save branding" }).isDisabled())
			.toBe(true);
		await page.getByRole("button", { name: "Discard changes" }).click();
		await expect.poll(() => page.getByLabel("Tagline").inputValue()).toBe("");
		expect(problems).toEqual([]);
	});

	test("a logo is uploaded, replaced by a drawing, and removed", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme", { tagline: "Widgets" });
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/branding`);
		const file = page.getByLabel("Upload a logo");
		const choose = (name: string, mimeType: string, buffer: Buffer) =>
			file.setInputFiles({ name, mimeType, buffer });
		await choose("notes.png", "image/png", Buffer.from("not an image"));
		await page.getByText("This file is not an image that the browser can show.").waitFor();

		// Larger than the service accepts.
		await choose("logo.png", "image/png", png({ width: 3000, height: 500 }));
		await page.getByText("logo.png is uploaded when you save.").waitFor();
		const logo = page.frameLocator("iframe").locator("img.logo");
		await expect.poll(() => logo.getAttribute("src")).toMatch(/^data:image\/png/);
		expect(await checkPage(page, "console-branding-upload")).toEqual([]);
		await page.getByLabel("Tagline").fill("New widgets");
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		const urlField = page.getByLabel("Logo URL");
		await expect.poll(() => urlField.inputValue()).toContain(`/logos/${tenant.id}/`);
		const first = await urlField.inputValue();
		const read = () => server.manage<{ metadata: { branding: object } }>(`/get?id=${tenant.id}`);
		expect((await read()).metadata.branding).toEqual({ logoUrl: first, tagline: "New widgets" });
		const { page: signIn, problems: signInProblems } = await open(server.baseUrl);
		await signIn.goto(`/t/${tenant.slug}/sign-in`);
		const shown = () => signIn.evaluate("document.querySelector('img.logo')?.naturalWidth");
		await expect.poll(shown).toBe(1024);

		await choose("logo.svg", "image/svg+xml", Buffer.from(svg));
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		await expect.poll(() => urlField.inputValue()).not.toBe(first);
		expect((await fetch(first)).status).toBe(404);
		const second = await fetch(await urlField.inputValue());
		expect([second.status, second.headers.get("content-type")]).toEqual([200, "image/png"]);

		await urlField.fill("");
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");
		expect((await read()).metadata.branding).toEqual({ tagline: "New widgets" });
		expect((await fetch(second.url)).status).toBe(404);
		expect([...problems, ...signInProblems]).toEqual([]);
	});

	test("a logo for dark pages and an icon are uploaded, and shown where they belong", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/branding`);
		const choose = (label: string, width: number) =>
			page.getByLabel(label).setInputFiles({
				name: `${width}.png`,
				mimeType: "image/png",
				buffer: png({ width, height: 40 }),
			});
		await choose("Upload a logo", 50);
		await choose("Upload a dark logo", 60);
		await choose("Upload an icon", 40);
		await page.getByText("40.png is uploaded when you save.").waitFor();
		expect(await checkPage(page, "console-branding-images")).toEqual([]);
		await page.getByRole("button", { name: "Save branding" }).click();
		await waitForToast(page, "Saved.");

		const { page: signIn, problems: signInProblems } = await open(server.baseUrl);
		const response = await signIn.goto(`/t/${tenant.slug}/sign-in`);
		const icon = /<link rel="icon" href="([^"]+)"/.exec((await response?.text()) ?? "")?.[1];
		expect((await fetch(icon ?? "")).headers.get("content-type")).toBe("image/png");
		const width = () => signIn.evaluate("document.querySelector('img.logo')?.naturalWidth");
		await expect.poll(width).toBe(50);
		// The choice of the user is stronger than that of the system.
		await signIn.getByRole("button", { name: "Switch to dark mode" }).click();
		await expect.poll(width).toBe(60);
		await signIn.reload();
		await expect.poll(width).toBe(60);
		expect([...problems, ...signInProblems]).toEqual([]);
	});
});
