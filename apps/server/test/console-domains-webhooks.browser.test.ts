import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { confirm, enterConsole, waitForToast } from "./console-driver";
import { usePages } from "./running-pages";

/** A server that gets webhooks, and the types of the events that it got. */
async function receiver() {
	const types: string[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		types.push((JSON.parse(body) as { type: string }).type);
		response.writeHead(204).end();
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/in`, types };
}

describe.skipIf(!services.browser)("domains and webhooks in the console", () => {
	const open = useChromium();
	const pages = usePages({ ALLOW_PRIVATE_PROVIDER_HOSTS: "true" });

	test("a domain shows its DNS record, is checked and removed", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/domains`);
		const dialog = page.getByRole("dialog");
		await page.getByText("No domains yet").waitFor();
		expect(await checkPage(page, "domains-empty")).toEqual([]);
		await page.getByRole("button", { name: "Add domain" }).click();
		await dialog.getByLabel("Domain").fill("not a domain");
		await dialog.getByRole("button", { name: "Add domain" }).click();
		await dialog.getByRole("alert").waitFor();
		await dialog.getByLabel("Domain").fill("Acme.example");
		await dialog.getByLabel("Used for").selectOption("Email domain");
		await dialog.getByRole("button", { name: "Add domain" }).click();
		await page.getByText("_better-auth-tenant.acme.example").waitFor();
		await page.getByText("Waiting for the record").waitFor();
		await page.getByRole("button", { name: "Copy Value" }).waitFor();
		await page.getByRole("button", { name: "Check now for acme.example" }).click();
		await page.getByRole("alert").waitFor();
		expect(await checkPage(page, "console-domains")).toEqual([]);

		await page.getByRole("button", { name: "Remove acme.example" }).click();
		await confirm(page, "acme.example", "Remove domain");
		await page.getByText("No domains yet").waitFor();
		expect(problems).toEqual([]);
	});

	test("a webhook is created, tested and rotated, and a delivery is sent again", async () => {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { url, types } = await receiver();
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/webhooks`);
		const dialog = page.getByRole("dialog");
		await page.getByText("No webhooks yet").waitFor();
		expect(await checkPage(page, "webhooks-empty")).toEqual([]);
		await page.getByRole("button", { name: "Create webhook" }).click();
		await dialog.getByLabel("URL").fill(url);
		await dialog.getByLabel("Description").fill("CRM");
		await dialog.getByLabel("All events").uncheck();
		await dialog.getByLabel("user.deleted").check();
		expect(await checkPage(page, "console-create-webhook")).toEqual([]);
		await dialog.getByRole("button", { name: "Create webhook" }).click();
		const secret = await dialog.getByText(/^whsec_/).innerText();
		await dialog.getByRole("button", { name: "Done" }).click();
		await page.getByText("user.created, user.deleted").waitFor();
		expect(await page.content()).not.toContain(secret);

		await page.getByRole("button", { name: "Test", exact: true }).click();
		await page.getByText("The receiver responded with 204.").waitFor();
		expect(types).toEqual(["webhook.ping"]);
		await page.getByText("1–1 of 1 deliveries").waitFor();
		const menu = page.getByRole("button", { name: /^Actions for webhook.ping/ });
		await menu.click();
		await page.getByRole("menuitem", { name: "Show content" }).click();
		await dialog.getByText('"type": "webhook.ping"').waitFor();
		await page.keyboard.press("Escape");
		await menu.click();
		await page.getByRole("menuitem", { name: "Send again" }).click();
		await waitForToast(page, "The event will be sent again.");
		expect(await checkPage(page, "console-webhooks")).toEqual([]);

		const choose = async (action: string) => {
			await page.getByRole("button", { name: `Actions for ${url}` }).click();
			await page.getByRole("menuitem", { name: action }).click();
		};
		await choose("Rotate secret");
		await dialog.getByRole("button", { name: "Rotate secret" }).click();
		await expect.poll(() => dialog.getByText(/^whsec_/).innerText()).not.toBe(secret);
		await dialog.getByRole("button", { name: "Done" }).click();
		await page.getByText(/^signs too until/).waitFor();
		await choose("Disable");
		await page.getByText("Disabled", { exact: true }).waitFor();
		await choose("Delete");
		await dialog.getByRole("button", { name: "Delete webhook" }).click();
		await page.getByText("No webhooks yet").waitFor();
		expect(problems).toEqual([]);
	});
});
