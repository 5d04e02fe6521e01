import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { confirm, typePassword, waitForToast } from "./console-driver";
import { operatorPassword } from "./operator-accounts";
import { type PagesServer, runningPages } from "./running-pages";
import { asManager } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

const FILE_PASSWORD = "the password of the file";
const user = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

/** An owner of the service, with a password, in the console. */
async function enterAsOwner(server: PagesServer, page: Page): Promise<void> {
	const email = "olga@example.com";
	const { url } = await server.call<{ url: string }>("/api/auth/operator/create", asManager, {
		...{ email, role: "owner" },
	});
	const token = new URL(url).searchParams.get("token");
	const body = { token, newPassword: operatorPassword };
	await server.call("/api/auth/reset-password", {}, body);
	await page.goto("/console");
	await typePassword(page, email);
	await page.getByRole("heading", { name: "Overview" }).waitFor();
}

async function chooseFile(page: Page, file: string, password: string): Promise<void> {
	await page.getByLabel("File", { exact: true }).setInputFiles(file);
	await page.getByLabel("Password of the file", { exact: true }).fill(password);
	await page.getByLabel("Your password", { exact: true }).fill(operatorPassword);
	await page.getByRole("button", { name: "Import tenant" }).click();
}

describe.skipIf(!services.browser)("the file of a tenant in Chromium", () => {
	const open = useChromium();
	const look = async (page: Page, name: string) =>
		expect(await checkPage(page, `console-tenant-file-${name}`)).toEqual([]);

	test("moves a tenant from one service to another", async () => {
		const [from, to] = [await runningPages(), await runningPages()];
		const tenant = await from.newTenant("Acme");
		await from.signUp(tenant, user.email, user.password);
		const directory = temporaryDirectory();
		const file = join(directory, `${tenant.slug}.age`);

		const { page: source, problems: sourceProblems } = await open(from.baseUrl);
		await enterAsOwner(from, source);
		await source.goto(`/console/tenants/${tenant.id}/settings`);
		await source.getByRole("button", { name: "Suspend" }).click();
		await confirm(source, tenant.slug, "Suspend tenant");
		await source.getByRole("button", { name: "Export" }).click();
		const dialog = source.getByRole("dialog");
		await dialog.getByLabel("Password of the file", { exact: true }).fill(FILE_PASSWORD);
		await dialog.getByLabel("The same again", { exact: true }).fill(FILE_PASSWORD);
		await dialog.getByLabel("Your password", { exact: true }).fill(operatorPassword);
		await look(source, "export");
		const downloading = source.waitForEvent("download");
		await dialog.getByRole("button", { name: "Export tenant" }).click();
		const download = await downloading;
		expect(download.suggestedFilename()).toBe(`${tenant.slug}.age`);
		await download.saveAs(file);
		await dialog.getByText("was exported to").waitFor();
		await look(source, "exported");
		expect(readFileSync(file).includes(user.email)).toBe(false);

		const { page: target, problems: targetProblems } = await open(to.baseUrl);
		await enterAsOwner(to, target);
		await target.goto("/console/tenants");
		await target.getByRole("link", { name: "Import tenant" }).click();
		await chooseFile(target, file, "another password");
		await target.getByText("Is it the password of this file?").waitFor();
		await look(target, "refused");

		// The refusal arrives although most of the file was not sent yet.
		const noise = join(directory, "noise.age");
		writeFileSync(noise, randomBytes(30 * 1024 * 1024));
		await chooseFile(target, noise, FILE_PASSWORD);
		await target.getByText("The file is damaged").waitFor();

		await chooseFile(target, file, FILE_PASSWORD);
		await target.getByText("All are as in the file.").waitFor();
		await look(target, "imported");
		await target.getByRole("button", { name: "Resume" }).click();
		await waitForToast(target, `${tenant.slug} was resumed.`);
		const signedIn = await to.call<{ user: { email: string } }>(
			"/api/auth/tenant/sign-in/email",
			{ "x-tenant-id": tenant.id },
			user,
		);
		expect(signedIn.user.email).toBe(user.email);
		await target.getByRole("link", { name: `Open ${tenant.slug}` }).click();
		await target.getByRole("heading", { name: "Acme", exact: true }).waitFor();
		expect({ sourceProblems, targetProblems }).toEqual({ sourceProblems: [], targetProblems: [] });
	});
});
