import { expect } from "vitest";
import { checkPage, type useChromium } from "../../apps/server/test/chromium";
import { chooseWorkspace, signIn, signUp } from "./account-forms";
import { type RunningExample, startExample } from "./running-example";

/**
 * Checks an example with the hosts `acme.localhost` and `globex.localhost`: one email is two users, a browser
 * can be signed in to both, and neither a session nor a password of one tenant counts at the other.
 */
export async function checkHostPerTenant(
	example: string,
	open: ReturnType<typeof useChromium>,
): Promise<RunningExample> {
	const running = await startExample(example);
	const { url, port } = running;
	// Better Auth logs nothing, such as warnings about missing tables.
	expect(running.startOutput).not.toContain("[Better Auth]");
	const acme = `http://acme.localhost:${port}`;
	const globex = `http://globex.localhost:${port}`;
	const unknown = `http://unknown.localhost:${port}`;
	const { page, problems } = await open(url, [acme, globex, unknown]);
	for (const tenant of ["Acme", "Globex"]) {
		await page.goto("/");
		await chooseWorkspace(page, tenant.toLowerCase());
		await signUp(page, `Ada of ${tenant}`, `the password at ${tenant}`);
	}
	await expect.poll(() => new URL(page.url()).origin).toBe(globex);
	expect(await checkPage(page, `${example}-account`)).toEqual([]);

	// Both stay signed in.
	await page.goto(acme);
	await page.getByText("Hello, Ada of Acme (ada@example.com).").waitFor();
	await page.goto(globex);
	await page.getByText("Hello, Ada of Globex (ada@example.com).").waitFor();

	// The session of Globex does not count at Acme, even if the browser sends it there.
	const session = await page.context().cookies(globex);
	await page.context().clearCookies();
	await page
		.context()
		.addCookies(session.map((cookie) => ({ ...cookie, domain: "acme.localhost" })));
	await page.goto(acme);
	await page.getByRole("button", { name: "Create account" }).waitFor();
	// Neither does the password.
	await signIn(page, "the password at Globex");
	await page.getByRole("alert").filter({ hasText: "Invalid email or password" }).waitFor();
	await signIn(page, "the password at Acme");
	await page.getByText("Hello, Ada of Acme (ada@example.com).").waitFor();

	await page.getByRole("button", { name: "Sign out" }).click();
	await page.getByRole("button", { name: "Create account" }).waitFor();
	await page.reload();
	await page.getByRole("button", { name: "Create account" }).waitFor();

	expect((await page.goto(unknown))?.status()).toBe(404);
	expect(problems).toEqual([]);
	return running;
}
