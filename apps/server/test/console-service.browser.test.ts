import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { checkPage, useChromium } from "./chromium";
import { command } from "./cli-command";
import { enterConsole } from "./console-driver";
import { loopbackSmtp } from "./loopback-smtp";
import { runningPages } from "./running-pages";
import { temporaryDirectory } from "./temporary-directory";

describe.skipIf(!services.browser)("the service in the console", () => {
	const open = useChromium();

	test("a test email shows the reply of the mail server", async () => {
		const smtp = await loopbackSmtp(["550 5.1.1 no such user"]);
		const server = await runningPages({
			SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
			MAIL_FROM: "login@example.com",
		});
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/service");
		await page.getByText("Sent by the mail server").waitFor();
		await page.getByRole("button", { name: "Send a test email" }).click();
		const dialog = page.getByRole("dialog");
		await dialog.getByLabel("Email").fill("nobody@example.com");
		await dialog.getByRole("button", { name: "Send" }).click();
		await dialog.getByText("550 5.1.1 no such user").waitFor();
		expect(await checkPage(page, "console-test-email-refused")).toEqual([]);
		await dialog.getByLabel("Email").fill("ops@example.com");
		await dialog.getByRole("button", { name: "Send" }).click();
		await dialog.getByText("The mail server has accepted the email.").waitFor();
		expect(smtp.received).toMatchObject([{ to: ["ops@example.com"] }]);
		expect(await checkPage(page, "console-test-email")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("a service that sends no email says what to set", async () => {
		const server = await runningPages();
		const { page, problems } = await open(server.baseUrl);
		// Only a public service sends no email at all, and a test cannot have a public URL.
		await page.route("**/service/info", async (route) => {
			const response = await route.fetch();
			await route.fulfill({ response, json: { ...(await response.json()), mail: "none" } });
		});
		await enterConsole(page);
		await page.getByText("This service sends no email.").waitFor();
		await page.getByText("SMTP_URL").waitFor();
		expect(await checkPage(page, "console-overview-no-email")).toEqual([]);
		expect(problems).toEqual([]);
	});

	test("retention, and how jobs ended", async () => {
		const environment = {
			DATA_DIR: temporaryDirectory(),
			BETTER_AUTH_SECRET: "a secret for tests with 32 characters and more: 8dK2!x",
			SIGN_IN_RETENTION_DAYS: "45",
		};
		const server = await runningPages(environment);
		const { page, problems } = await open(server.baseUrl);
		await enterConsole(page, "/console/service");
		await page.getByText("45 days").waitFor();
		await page.getByText("Kept forever").waitFor();
		await page.getByText("Not yet").first().waitFor();
		expect(await command(environment, ["clean-up"])).toMatchObject({ code: 0 });
		await page.reload();
		await page.getByText("There was nothing to do.").waitFor();
		expect(await checkPage(page, "console-service")).toEqual([]);
		expect(problems).toEqual([]);
	});
});
