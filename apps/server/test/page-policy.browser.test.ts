import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { usePages } from "./running-pages";

/** Somebody else's site, which answers everybody. */
async function otherSite(html: string): Promise<string> {
	const headers = { "content-type": "text/html", "access-control-allow-origin": "*" };
	const server = createServer((_request, response) => response.writeHead(200, headers).end(html));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!services.browser)("what a page may do", () => {
	const open = useChromium();
	const pages = usePages();

	test.each(["console", "t/acme"])(
		"/%s has nothing inline, and runs nothing inline",
		async (path) => {
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
		},
	);

	test("a page cannot call anybody else, however willing", async () => {
		const { page } = await open((await pages()).baseUrl);
		const site = await otherSite("");
		await page.goto("/console");
		const call = `fetch("${site}").then(() => "answered", () => "refused")`;
		expect(await page.evaluate(call)).toBe("refused");
		// Somebody who is not in a page can.
		expect(await (await fetch(site)).text()).toBe("");
	});

	test.each(["console", "t/acme"])("/%s is shown in nobody's frame", async (path) => {
		const { baseUrl } = await pages();
		const site = await otherSite(`<iframe src="${baseUrl}/${path}"></iframe>`);
		const { page } = await open(site);
		const refusals: string[] = [];
		page.on("console", (message) => refusals.push(message.text()));
		await page.goto("/");
		await expect.poll(() => refusals.join("\n")).toMatch(/frame-ancestors|X-Frame-Options/i);
		expect(await page.frames()[1]?.locator("#root").count()).toBe(0);
	});
});
