import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { startOtherSite } from "./other-site";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("the content security policy", () => {
	const open = useChromium();
	const pages = usePages();

	test.each(["console", "t/acme"])("/%s has no inline code, and does not run any", async (path) => {
		const { baseUrl } = await pages();
		const html = await (await fetch(`${baseUrl}/${path}`)).text();
		expect(html).toMatch(/<script [^>]*src="\/assets\//);
		expect(html).not.toMatch(/<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|javascript:/i);

		const { page, problems } = await open(baseUrl);
		await page.goto(`/${path}`);
		await page.getByRole("heading").first().waitFor();
		expect(problems).toEqual([]);
		const refused = await page.evaluate(`new Promise((resolve) => {
			addEventListener("securitypolicyviolation", ({ violatedDirective }) => resolve(violatedDirective));
			const script = document.createElement("script");
			script.textContent = "window.ran = true";
			document.body.append(script);
		})`);
		expect(refused).toBe("script-src-elem");
		expect(await page.evaluate("window.ran")).toBeUndefined();
	});

	test("does not let a page call another origin, even if that origin allows it", async () => {
		const { page } = await open((await pages()).baseUrl);
		const site = await startOtherSite("");
		await page.goto("/console");
		const call = `fetch("${site}").then(() => "answered", () => "refused")`;
		expect(await page.evaluate(call)).toBe("refused");
		// Outside of a page it works.
		expect(await (await fetch(site)).text()).toBe("");
	});

	test.each(["console", "t/acme"])("/%s cannot be put into a frame", async (path) => {
		const { baseUrl } = await pages();
		const site = await startOtherSite(`<iframe src="${baseUrl}/${path}"></iframe>`);
		const { page } = await open(site);
		const refusals: string[] = [];
		page.on("console", (message) => refusals.push(message.text()));
		await page.goto("/");
		await expect.poll(() => refusals.join("\n")).toMatch(/frame-ancestors|X-Frame-Options/i);
		await expect.poll(() => page.frames()[1]?.locator("#root").count()).toBe(0);
	});
});
