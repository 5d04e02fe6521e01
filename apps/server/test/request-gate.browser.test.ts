import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { services } from "../../../testing/services";
import { useChromium } from "./chromium";
import { gated, times } from "./gated-service";

async function startApp(): Promise<string> {
	const server = createServer((_request, response) => response.end("<title>An app</title>"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => void server.close());
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe.skipIf(!services.browser)("a page of a trusted origin", () => {
	const open = useChromium();

	test("reads when to repeat a request that was refused", async () => {
		const app = await startApp();
		const { page } = await open(app);
		await page.goto("/");
		const { send, arrived, giveUp, answerAll, port } = await gated({ TRUSTED_ORIGINS: app });
		const flood = times(8, () => send({}));
		await arrived(8);
		const asked = page.evaluate(`fetch("http://127.0.0.1:${port}/api/auth/sign-in/email", {
			method: "POST",
			credentials: "include",
			headers: { "content-type": "application/json" },
			body: "{}",
		}).then(
			async (answer) => [answer.status, answer.headers.get("retry-after"), (await answer.json()).code],
			(error) => error.message,
		)`);
		// The content type needs a preflight.
		await giveUp(1);
		await giveUp(1);
		const refused = await asked;
		answerAll();
		await Promise.all(flood);
		expect(refused).toEqual([429, "1", "TOO_MANY_CONCURRENT_REQUESTS"]);
	});
});
