import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blocksRunBy } from "../../../testing/shell-blocks";
import { listen } from "../src/http/listen";
import { newSlug, newTenant, type RunningService, useService } from "./running-service";
import { hasCurl } from "./shell-blocks";
import { temporaryDirectory } from "./temporary-directory";
import { filePassword } from "./tenant-file-calls";

const first = useService({
	BETTER_AUTH_SECRET: "the secret of the first service, 32 characters: k3!hZ",
});
const second = useService({
	BETTER_AUTH_SECRET: "the secret of the second service, 32 characters: q7?Rb",
});

test.skipIf(!hasCurl)(
	"docs/deploy.md: a key exports a tenant and imports it elsewhere",
	async () => {
		const [from, to] = [await first(), await second()];
		const slug = newSlug();
		const tenantId = await newTenant(from.post, slug);
		const serve = async ({ app, gate }: RunningService) => {
			const listener = await listen("127.0.0.1", 0);
			onTestFinished(() => listener.close());
			listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
			return `http://127.0.0.1:${listener.port}`;
		};
		const keyFor = async ({ backend }: RunningService, scope: string) => {
			const body = { name: scope, scopes: [scope] };
			return (await backend.auth.api.createOperatorKey({ body })).key;
		};
		const [block = ""] = blocksRunBy(import.meta.url, "docs/deploy.md");
		const directory = temporaryDirectory();
		const shell = spawn("bash", ["-e", "-o", "pipefail", "-c", block], {
			cwd: directory,
			env: {
				PATH: process.env.PATH,
				SERVICE: await serve(from),
				KEY: await keyFor(from, "tenant:export"),
				OTHER_SERVICE: await serve(to),
				OTHER_KEY: await keyFor(to, "tenant:import"),
				TENANT_ID: tenantId,
				FILE_PASSWORD: filePassword,
			},
		});
		let printed = "";
		shell.stdout.on("data", (text) => {
			printed += text;
		});
		expect(await once(shell, "close")).toEqual([0, null]);
		expect(JSON.parse(printed)).toMatchObject({ tenantId, slug, tables: {} });
		expect(readFileSync(join(directory, "acme.age")).toString()).toMatch(/^age-encryption/);
	},
);
