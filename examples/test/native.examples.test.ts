import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../apps/server/test/temporary-directory";
import { freePort } from "../../testing/ports";
import { services } from "../../testing/services";
import { startExample } from "./running-example";

describe.skipIf(!services.examples)("examples/native", () => {
	test("the app signs in with an ID token and by a deep link, at its tenant", async () => {
		const providerPort = String(await freePort());
		const { url } = await startExample("native", { PROVIDER_PORT: providerPort });
		const { PATH, HOME } = process.env;
		const runApp = (tenant: string) =>
			promisify(execFile)("npm", ["run", "--silent", "app", tenant], {
				cwd: join(String(services.examples), "examples/native"),
				env: {
					PATH,
					HOME,
					SERVER_URL: url,
					PROVIDER_URL: `http://localhost:${providerPort}`,
					KEYCHAIN: join(temporaryDirectory(), "keychain.json"),
				},
			});
		expect((await runApp("acme")).stdout).toBe(
			"ID token: hello, Ada Lovelace of Acme\nDeep link: hello, Ada Lovelace of Acme\n",
		);
		// The provider of Acme signs nobody in at Globex.
		await expect(runApp("globex")).rejects.toThrow("Provider not found");
	});
});
