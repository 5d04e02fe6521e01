import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, password, waitForAccount } from "./end-user";
import { submitForm } from "./forms";
import { type PagesTenant, usePages } from "./running-pages";

describe.skipIf(!services.browser)("an invitation", () => {
	const open = useChromium();
	const pages = usePages();

	async function invite({ id }: PagesTenant, email: string, role = "admin") {
		const server = await pages();
		const created = await server.manage<{ token?: string }>("/invitation/create", {
			tenantId: id,
			email,
			role,
		});
		// Only the mailbox has the token.
		expect(created.token).toBeUndefined();
		return server.emailedLink(email);
	}

	const roleOf = async ({ id }: PagesTenant, email: string) => {
		const users = await (await pages()).manage<{ email: string; tenantRole: string }[]>(
			`/user/list?tenantId=${id}`,
		);
		return users.find((user) => user.email === email)?.tenantRole;
	};

	test("lets somebody sign up where others cannot, with the role, once", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", { primaryColor: "#0f766e" });
		await server.manage("/policy/update", { tenantId: acme.id, signUp: { mode: "invite" } });
		const link = await invite(acme, "grace@example.com");
		expect(link).toMatch(new RegExp(`/t/${acme.slug}/invitation\\?token=\\w+$`));
		const { page, problems } = await open(server.baseUrl);
		await page.goto(link);
		await page.getByText("You are invited to join Acme as an administrator.").waitFor();
		await expect.poll(() => page.url()).not.toContain("token");
		expect(await checkPage(page, "tenant-invitation")).toEqual([]);
		await page.getByRole("link", { name: "Create an account" }).click();
		await expect
			.poll(() => page.getByLabel("Email", { exact: true }).inputValue())
			.toBe("grace@example.com");
		await submitForm(page, "Create account", { Name: "Grace", Password: password });
		await waitForAccount(page);
		expect(await roleOf(acme, "grace@example.com")).toBe("admin");

		const { page: late } = await open(server.baseUrl);
		await late.goto(link);
		await late.getByRole("heading", { name: "This invitation is not valid" }).waitFor();
		expect(await checkPage(late, "tenant-invitation-invalid")).toEqual([]);
		await late.goto(`/t/${acme.slug}/sign-up`);
		await late.getByRole("heading", { name: "Sign in" }).waitFor();
		expect(problems).toEqual([]);
	});

	test("says so if somebody else is signed in", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme");
		await server.signUp(acme, "other@example.com", password);
		const link = await invite(acme, "grace@example.com", "member");
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "other@example.com");
		await waitForAccount(page);
		await page.goto(link);
		await page.getByText("You are signed in as other@example.com.").waitFor();
		expect(await checkPage(page, "tenant-invitation-other-user")).toEqual([]);
		await page.getByRole("button", { name: "Sign out" }).click();
		await page.getByRole("link", { name: "Create an account" }).waitFor();
		expect(problems).toEqual([]);
	});
});
