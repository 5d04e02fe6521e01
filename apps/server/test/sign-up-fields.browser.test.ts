import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { waitForToast } from "./console-driver";
import { fillSignIn, fillSignUp, password, waitForAccount } from "./end-user";
import { usePages } from "./running-pages";

describe.skipIf(!services.browser)("fields of a tenant at sign-up, in Chromium", () => {
	const open = useChromium();
	const pages = usePages();

	test("an owner adds them, a new user fills them in, and the answers are stored", async () => {
		const server = await pages();
		const acme = await server.newTenant("Acme", { primaryColor: "#0f766e" });
		const created = { tenantId: acme.id, name: "Olga", email: "olga@example.com" };
		await server.manage("/user/create", {
			...{ ...created, password, role: "owner", emailVerified: true },
		});
		const { page, problems } = await open(server.baseUrl);
		await page.goto(`/t/${acme.slug}/sign-in`);
		await fillSignIn(page, "olga@example.com");
		await waitForAccount(page);
		await page.goto(`/t/${acme.slug}/admin/policy`);
		const add = async (label: string, type: string) => {
			await page.getByRole("button", { name: "Add a field" }).click();
			const field = page.getByRole("group", { name: /^Field \d$/ }).last();
			await field.getByLabel("Label").fill(label);
			await field.getByLabel("Type").selectOption({ label: type });
			return field;
		};
		await (await add("Company", "Text")).getByLabel("Required").check();
		const department = await add("Department", "One of several choices");
		await department.getByLabel("Choices").fill("Sales\nResearch");
		await add("I want the newsletter, once a month, with offers of partners", "Checkbox");
		await page.getByLabel("Name", { exact: true }).last().fill("newsletter");
		expect(await checkPage(page, "tenant-admin-sign-up-fields")).toEqual([]);
		await page.getByRole("button", { name: "Save fields" }).click();
		await waitForToast(page, "Fields saved.");

		const { page: form, problems: others } = await open(server.baseUrl);
		await form.goto(`/t/${acme.slug}/sign-up`);
		await form.getByLabel("Company").waitFor();
		expect(await checkPage(form, "tenant-sign-up-fields")).toEqual([]);
		await form.evaluate("document.documentElement.dir = 'rtl'");
		expect(await checkPage(form, "tenant-sign-up-fields-rtl")).toEqual([]);
		await form.evaluate("document.documentElement.dir = 'ltr'");
		// The browser asks for the company.
		await fillSignUp(form, "ada@example.com");
		await expect.poll(() => form.locator("input:focus").getAttribute("name")).toBe("company");
		await form.getByLabel("Company").fill("Analytical Engines");
		await form.getByLabel("Department").selectOption("Research");
		await form.getByLabel(/newsletter/).check();
		await form.getByRole("button", { name: "Create account" }).click();
		await waitForAccount(form);
		const users = await server.manage<{ id: string; email: string }[]>(
			`/user/list?tenantId=${acme.id}`,
		);
		const userId = users.find(({ email }) => email === "ada@example.com")?.id ?? "";
		const query = new URLSearchParams({ tenantId: acme.id, userId });
		expect(await server.manage(`/user-metadata/get?${query}`)).toMatchObject({
			metadata: {
				signUp: { company: "Analytical Engines", department: "Research", newsletter: true },
			},
		});
		expect([...problems, ...others]).toEqual([]);
	});
});
