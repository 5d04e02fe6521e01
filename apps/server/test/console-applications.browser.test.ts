import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { confirm, enterConsole, waitForToast } from "./console-driver";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("applications in the console", () => {
	const open = useChromium();
	const pages = usePages({ API_SCOPES: "read,write" });

	async function openApplications() {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, `/console/tenants/${tenant.id}/applications`);
		await page.getByText("No applications yet").waitFor();
		const listed = () =>
			server.manage<{ clientId: string; name: string; disabled: boolean; scopes: string[] }[]>(
				`/application/list?tenantId=${tenant.id}`,
			);
		return { server, tenant, page, problems, listed, dialog: page.getByRole("dialog") };
	}

	test("a web app is created, and its secret works and is shown once", async () => {
		const { server, tenant, page, problems, dialog, listed } = await openApplications();
		await page.getByRole("link", { name: "New application" }).click();
		const create = page.getByRole("button", { name: "Create application" });
		await page.getByLabel("Name", { exact: true }).fill("Notes");
		await expect.poll(() => create.isDisabled()).toBe(true);
		await page.getByLabel("Redirect URIs", { exact: true }).fill("http://notes.example/callback");
		await page.getByText("must start with https://").waitFor();
		expect(await checkPage(page, "console-new-application-problem")).toEqual([]);
		await page.getByLabel("Redirect URIs", { exact: true }).fill("http://localhost:4000/callback");
		await page.getByLabel("Redirect URIs after sign-out").fill("http://localhost:4000/");
		await page.getByLabel("write").uncheck();
		expect(await checkPage(page, "console-new-application")).toEqual([]);
		await create.click();
		await page.getByRole("heading", { name: "Application created" }).waitFor();
		expect(await checkPage(page, "console-application-secret")).toEqual([]);
		const secret = await dialog.locator(".shown-once code").innerText();
		expect(secret).toMatch(/^\w{48}$/);
		await dialog.getByRole("button", { name: "Done" }).click();

		const [application] = await listed();
		expect(application).toMatchObject({
			name: "Notes",
			scopes: ["openid", "profile", "email", "roles", "permissions", "offline_access", "read"],
		});
		const { clientId = "" } = application ?? {};
		await page.getByText(`CLIENT_ID=${clientId}`).waitFor();
		const issuer = `${server.baseUrl}/t/${tenant.slug}`;
		await page.getByText(`${issuer}/.well-known/openid-configuration`).waitFor();
		expect(await page.content()).not.toContain(secret);
		// The secret is right: the service refuses the token, but not the client.
		const answer = await fetch(`${issuer}/oauth2/introspect`, {
			method: "POST",
			headers: { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` },
			body: new URLSearchParams({ token: "x" }),
		});
		expect(await answer.json()).toEqual({ active: false });

		for (const language of ["Next.js", "Hono", "Go", "Python", "nginx, in front of your API"]) {
			await page.getByLabel("Language").selectOption(language);
			await page.getByText(issuer).first().waitFor();
		}
		await page.getByLabel("Language").selectOption("Next.js");
		expect(await checkPage(page, "console-application")).toEqual([]);
		await page.getByRole("main").getByRole("link", { name: "Applications" }).click();
		await page.getByRole("link", { name: "Notes" }).waitFor();
		expect(await checkPage(page, "console-applications")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("an application is edited, rotated, disabled, enabled and deleted", async () => {
		const { server, tenant, page, problems, dialog, listed } = await openApplications();
		const { clientId, clientSecret } = await server.manage<{
			clientId: string;
			clientSecret: string;
		}>("/application/create", {
			tenantId: tenant.id,
			name: "Notes",
			type: "web",
			redirectUris: ["http://localhost:4000/callback"],
		});
		await page.goto(`/console/tenants/${tenant.id}/applications/${clientId}/settings`);
		await page.getByLabel("Name", { exact: true }).fill("Notes 2");
		await page.getByRole("switch", { name: /This is your own app/ }).click();
		await page.getByRole("link", { name: "Connect", exact: true }).click();
		await dialog.getByText("Your changes on this page are not saved.").waitFor();
		await dialog.getByRole("button", { name: "Cancel" }).click();
		await page.getByRole("button", { name: "Save application" }).click();
		await waitForToast(page, "Application saved.");
		expect(await listed()).toMatchObject([{ name: "Notes 2", firstParty: true }]);
		expect(await checkPage(page, "console-application-settings")).toEqual([]);

		await page.getByRole("button", { name: "Rotate secret" }).click();
		await dialog.getByRole("button", { name: "Rotate secret" }).click();
		const secret = await dialog.locator(".shown-once code").innerText();
		expect(secret).not.toBe(clientSecret);
		await dialog.getByRole("button", { name: "Done" }).click();
		expect(await page.content()).not.toContain(secret);

		await page.getByRole("button", { name: "Disable", exact: true }).click();
		await dialog.getByRole("button", { name: "Disable application" }).click();
		await page.getByText("This application is disabled.").waitFor();
		expect(await listed()).toMatchObject([{ disabled: true }]);
		expect(await checkPage(page, "console-application-disabled")).toEqual([]);
		await page.getByRole("button", { name: "Enable", exact: true }).click();
		await page.getByText("This application is disabled.").waitFor({ state: "detached" });

		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(page, "Notes 2", "Delete application");
		await page.getByText("No applications yet").waitFor();
		expect(await listed()).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("other types have other fields, and no secret if users could read it", async () => {
		const { page, problems, dialog, listed } = await openApplications();
		await page.getByRole("link", { name: "New application" }).click();
		await page.getByText("Program without users").click();
		await page.getByLabel("Redirect URIs", { exact: true }).waitFor({ state: "detached" });
		await expect.poll(() => page.getByLabel(/^openid/).count()).toBe(0);
		expect(await checkPage(page, "console-new-machine")).toEqual([]);
		await page.getByText("Single-page app").click();
		await page.getByLabel("Name", { exact: true }).fill("Board");
		await page.getByLabel("Redirect URIs", { exact: true }).fill("https://board.example/in");
		await expect
			.poll(() => page.getByLabel("Allowed origins").inputValue())
			.toBe("https://board.example");
		await page.getByRole("button", { name: "Create application" }).click();
		await page.getByText("sign-in.js", { exact: true }).waitFor();
		await expect.poll(() => dialog.count()).toBe(0);
		expect(await listed()).toMatchObject([
			{ type: "spa", allowedOrigins: ["https://board.example"], requirePkce: true },
		]);
		expect(problems).toEqual([]);
	});

	test("an application of all tenants is managed by operators, and each tenant sees it", async () => {
		const { server, tenant, page, problems, dialog } = await openApplications();
		await page.goto("/console/applications");
		await page.getByText("No applications yet").waitFor();
		await page.getByRole("link", { name: "New application" }).click();
		await page.getByLabel("Name", { exact: true }).fill("Notes of all");
		const redirectUri = "https://{tenant}.notes.example.com/callback";
		await page.getByLabel("Redirect URIs", { exact: true }).fill(redirectUri);
		await page.getByRole("button", { name: "Create application" }).click();
		await dialog.getByRole("button", { name: "Done" }).click();
		await page.getByText(`REDIRECT_URI=${redirectUri}`).waitFor();
		await page.getByText(`${server.baseUrl}/t/{tenant}`, { exact: true }).waitFor();
		expect(await checkPage(page, "console-service-application")).toEqual([]);
		await page.getByRole("link", { name: "Settings", exact: true }).click();
		await page.getByLabel("Name", { exact: true }).fill("Notes");
		await page.getByRole("button", { name: "Save application" }).click();
		await waitForToast(page, "Application saved.");

		await page.goto(`/console/tenants/${tenant.id}/applications`);
		await page.getByText("All tenants").waitFor();
		expect(await checkPage(page, "console-applications-of-all")).toEqual([]);
		await page.getByRole("link", { name: "Notes" }).click();
		await page.getByText("Only operators of the service can change it.").waitFor();
		await page.getByText(`REDIRECT_URI=https://${tenant.slug}.notes.example.com`).waitFor();
		await expect.poll(() => page.getByRole("link", { name: "Settings" }).count()).toBe(1);

		await page.goto("/console/applications");
		await page.getByRole("link", { name: "Notes" }).click();
		await page.getByRole("link", { name: "Settings", exact: true }).click();
		await page.getByRole("button", { name: "Delete", exact: true }).click();
		await confirm(page, "Notes", "Delete application");
		await page.getByText("No applications yet").waitFor();
		expect(problems).toEqual([]);
	});

	test("leaving a new application asks first, and an unknown one says so", async () => {
		const { tenant, page, dialog, problems } = await openApplications();
		await page.getByRole("link", { name: "New application" }).click();
		await page.getByLabel("Name", { exact: true }).fill("Notes");
		await page.getByRole("link", { name: "Users", exact: true }).click();
		await dialog.getByRole("button", { name: "Leave page" }).click();
		await page.getByText("No users yet").waitFor();
		await page.goto(`/console/tenants/${tenant.id}/applications/unknown`);
		await page.getByText("Application not found").waitFor();
		expect(problems).toEqual([]);
	});
});
