import { describe, expect, test } from "vitest";
import { totpOf } from "../../../packages/tenant-auth/test/support/providers/totp";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { enterConsole, waitForToast } from "./console-driver";
import { enroll, fillSignIn, fillSignUp, password, waitForAccount } from "./end-user";
import { type PagesTenant, usePages } from "./running-pages";

describe.skipIf(!services.browser)("a second factor", () => {
	const open = useChromium();
	const pages = usePages();

	async function signedIn({ slug }: PagesTenant, email: string) {
		const opened = await open((await pages()).baseUrl);
		await opened.page.goto(`/t/${slug}/sign-in`);
		await fillSignIn(opened.page, email);
		return opened;
	}

	test("is set up, asked for at sign-in, replaced by a recovery code once, and turned off", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		const { page, problems } = await signedIn(acme, "ada@example.com");
		await page.getByRole("link", { name: "Set up" }).click();
		await page.getByRole("heading", { name: "Set up a second step" }).waitFor();
		const { uri, recovery } = await enroll(page);
		await waitForAccount(page);
		await page.getByText("On", { exact: true }).waitFor();
		expect(recovery).toHaveLength(10);

		const { page: phone, problems: others } = await signedIn(acme, "ada@example.com");
		await phone.getByRole("heading", { name: "Two-step verification" }).waitFor();
		expect(await checkPage(phone, "tenant-two-factor")).toEqual([]);
		await phone.getByLabel("Code", { exact: true }).fill("000000");
		await phone.getByRole("button", { name: "Verify" }).click();
		await phone.getByRole("alert").filter({ hasText: "This code is not right." }).waitFor();
		await phone.getByLabel("Code", { exact: true }).fill(totpOf(uri));
		await phone.getByRole("button", { name: "Verify" }).click();
		await waitForAccount(phone);

		for (const expected of ["accepted", "refused"]) {
			const { page: lost } = await signedIn(acme, "ada@example.com");
			await lost.getByRole("button", { name: "Use a recovery code" }).click();
			await lost.getByLabel("Recovery code", { exact: true }).fill(recovery[0] ?? "");
			await lost.getByRole("button", { name: "Verify" }).click();
			if (expected === "accepted") await waitForAccount(lost);
			else await lost.getByText("This recovery code is not right").waitFor();
		}

		await page.reload();
		await page.getByRole("button", { name: "Turn off" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByRole("button", { name: "Turn off" }).click();
		await dialog.getByLabel("Password", { exact: true }).fill(password);
		await dialog.getByRole("button", { name: "Turn off" }).click();
		await page.getByText("Off", { exact: true }).waitFor();
		const { page: again } = await signedIn(acme, "ada@example.com");
		await waitForAccount(again);
		expect([...problems, ...others]).toEqual([]);
	});

	test("that is lost is removed in the console, and the password is enough again", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		const { user } = await server.signUp(acme, "ada@example.com", password);
		const { page } = await signedIn(acme, "ada@example.com");
		await page.getByRole("link", { name: "Set up" }).click();
		await enroll(page);
		await waitForAccount(page);

		const { page: operator, problems } = await open(server.baseUrl);
		await enterConsole(operator, `/console/tenants/${acme.id}/users/${user.id}`);
		await operator.getByText("also needs a code from an authenticator app").waitFor();
		await operator.getByRole("button", { name: "Remove", exact: true }).click();
		const dialog = operator.getByRole("dialog");
		expect(await checkPage(operator, "console-remove-second-factor")).toEqual([]);
		await dialog.getByRole("button", { name: "Remove second factor" }).click();
		await waitForToast(operator, "ada@example.com has no second factor any more.");
		await operator
			.getByRole("button", { name: "Remove", exact: true })
			.waitFor({ state: "detached" });

		const { page: again } = await signedIn(acme, "ada@example.com");
		await waitForAccount(again);
		expect(problems).toEqual([]);
	});

	test("that the tenant requires is set up before anything else", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "ada@example.com", password);
		await server.manage("/policy/update", {
			tenantId: acme.id,
			secondFactor: { required: true },
		});
		const { page, problems } = await signedIn(acme, "ada@example.com");
		await page.getByText("Acme requires a second step at sign-in.").waitFor();
		expect(await checkPage(page, "tenant-second-factor-required")).toEqual([]);
		await page.goto(`/t/${acme.slug}/account`);
		await page.getByText("Acme requires a second step at sign-in.").waitFor();
		await enroll(page);
		await waitForAccount(page);
		await expect.poll(() => page.getByRole("button", { name: "Turn off" }).count()).toBe(0);

		const { page: newcomer } = await open(server.baseUrl);
		await newcomer.goto(`/t/${acme.slug}/sign-up`);
		await fillSignUp(newcomer, "new@example.com");
		await newcomer.getByText("Acme requires a second step at sign-in.").waitFor();
		await newcomer.getByRole("button", { name: "Sign out" }).click();
		await newcomer.getByRole("heading", { name: "Sign in" }).waitFor();
		expect(problems).toEqual([]);
	});
});
