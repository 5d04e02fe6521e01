import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { root } from "../../../testing/pages";
import { freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { blocksRunBy } from "../../../testing/shell-blocks";
import { checkPage, useChromium } from "./chromium";
import { fillSignIn, fillSignUp } from "./end-user";
import { startProcess } from "./server-process";
import { temporaryDirectory } from "./temporary-directory";

/** The commands of docs/first-app.md: of the server, of the second terminal, and of the app. */
function commandsOfDocument(): [server: string, setUp: string, app: string] {
	const blocks = blocksRunBy(import.meta.url, "docs/first-app.md");
	expect(blocks).toHaveLength(3);
	return blocks as [string, string, string];
}

describe.skipIf(!services.browser)("docs/first-app.md", () => {
	const open = useChromium();

	test("leads to a user who is signed in to the sample app", async () => {
		const [server, setUp, app] = commandsOfDocument();
		expect(server).toBe("npm start\n");
		const directory = temporaryDirectory();
		for (const name of ["node_modules", "examples"]) {
			symlinkSync(join(root, name), join(directory, name));
		}
		const running = startProcess({ DATA_DIR: join(directory, "data") });
		const { port: ownPort } = new URL(await running.url());
		const baseUrl = `http://localhost:${ownPort}`;
		// Only the port is replaced, because the default ports may be taken.
		const port = await freePort();
		const atPorts = (text: string) => text.replaceAll("localhost:4000", `localhost:${port}`);
		const { PATH, HOME } = process.env;
		const settled = spawnSync("bash", ["-e", "-c", atPorts(setUp)], {
			cwd: directory,
			env: { PATH, HOME },
			encoding: "utf8",
		});
		expect(settled.status, settled.stderr).toBe(0);
		const child = spawn("bash", ["-c", `exec ${app}`], {
			cwd: directory,
			env: { PATH, PORT: String(port), AUTH_URL: baseUrl },
			stdio: ["ignore", "pipe", "inherit"],
		});
		onTestFinished(async () => {
			child.kill("SIGKILL");
			await once(child, "close");
		});
		const [line] = await once(child.stdout, "data");
		const origin = `http://localhost:${port}`;
		expect(String(line)).toBe(`Open ${origin}\n`);

		const { page, problems } = await open(baseUrl, [origin]);
		await page.goto(origin);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("heading", { name: "Sign in" }).waitFor();
		await expect.poll(() => page.url()).toContain(`${baseUrl}/t/acme/sign-in`);
		await page.getByRole("link", { name: "Create an account" }).click();
		await fillSignUp(page, "ada@example.com");
		await page.getByText("Hello Ada Lovelace").waitFor();
		expect(await checkPage(page, "sample-app")).toEqual([]);

		await page.getByRole("link", { name: "Sign out" }).click();
		await page.getByRole("button", { name: "Sign in" }).click();
		await fillSignIn(page, "ada@example.com");
		await page.getByText("Hello Ada Lovelace").waitFor();

		// The page goes on with a second tenant.
		await page.getByRole("link", { name: "Sign out" }).click();
		const second = ["tenant-auth", "tenant", "create", "globex"];
		spawnSync("npx", second, { cwd: directory, env: { PATH, HOME } });
		await page.getByLabel("Workspace").fill("globex");
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByRole("link", { name: "Create an account" }).click();
		await fillSignUp(page, "ada@example.com");
		await page.getByText("Hello Ada Lovelace").waitFor();
		expect(problems).toEqual([]);
	});
});
