import * as openid from "openid-client";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, password } from "./end-user";
import { connect } from "./running-issuers";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("a device without a browser, in Chromium", () => {
	const open = useChromium();
	const pages = usePages();

	async function ask() {
		const server = await pages();
		const tenant = await server.newTenant("Acme");
		await server.signUp(tenant, "ada@example.com", password);
		const television = await server.manage<{ clientId: string; clientSecret: null }>(
			"/application/create",
			{ tenantId: tenant.id, name: "Television", type: "native", deviceFlow: true },
		);
		const issuer = `${server.baseUrl}/t/${tenant.slug}`;
		const config = await connect({ issuer }, television);
		const scope = "openid profile offline_access";
		const asked = await openid.initiateDeviceAuthorization(config, { scope });
		return { ...(await open(server.baseUrl)), config, asked, issuer };
	}

	test("is allowed by a user who signs in first", async () => {
		const { page, problems, config, asked, issuer } = await ask();
		await page.goto(asked.verification_uri);
		await fillSignIn(page, "ada@example.com");
		await page.getByRole("heading", { name: "Connect a device" }).waitFor();
		await expect.poll(() => page.url()).toBe(`${issuer}/device`);
		expect(await checkPage(page, "tenant-device")).toEqual([]);
		await page.getByLabel("Code").fill(asked.user_code.toLowerCase());
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("heading", { name: "Allow Television on your device?" }).waitFor();
		await page.getByText(asked.user_code).waitFor();
		expect(await checkPage(page, "tenant-device-review")).toEqual([]);
		await page.getByRole("button", { name: "Allow", exact: true }).click();
		await page.getByRole("heading", { name: "Your device is connected" }).waitFor();
		const tokens = await openid.pollDeviceAuthorizationGrant(config, asked);
		expect(tokens.refresh_token).toEqual(expect.any(String));
		expect(problems).toEqual([]);
	});

	test("is not allowed by a user who opens its link", async () => {
		const { page, problems, config, asked } = await ask();
		await page.goto(asked.verification_uri_complete ?? "");
		await fillSignIn(page, "ada@example.com");
		await page.getByText("Check that your device shows the same code.").waitFor();
		await page.getByRole("button", { name: "Continue" }).click();
		await page.getByRole("button", { name: "Do not allow" }).click();
		await page.getByRole("heading", { name: "Not allowed" }).waitFor();
		const polled = openid.pollDeviceAuthorizationGrant(config, asked);
		await expect(polled).rejects.toMatchObject({ error: "access_denied" });
		expect(problems).toEqual([]);
	});
});
