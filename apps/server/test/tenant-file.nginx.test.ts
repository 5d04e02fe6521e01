import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:https";
import { describe, expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { listen } from "../src/http/listen";
import { type Nginx, startNginx } from "./nginx-process";
import { asManager, runningService } from "./running-service";
import { importBody } from "./tenant-file-calls";

// Sends the body only when nginx asks for it. Otherwise nginx could answer 413 and close the connection
// while the body is still being sent, which resets it.
async function send({ origin, certificate }: Nginx, path: string, body: Buffer) {
	const call = request(`${origin}${path}`, {
		...{ method: "POST", ca: certificate, agent: false },
		headers: { ...asManager, expect: "100-continue", "content-length": body.length },
	});
	call.once("continue", () => call.end(body));
	call.flushHeaders();
	onTestFinished(() => void call.destroy());
	const [response] = await once(call, "response");
	let text = "";
	for await (const chunk of response) text += chunk;
	return { status: response.statusCode as number, text };
}

describe.skipIf(!services.nginx)("the file of a tenant behind nginx", () => {
	test("reaches the server, although nginx refuses other bodies of this size", async () => {
		const port = await freePort();
		const { app, gate } = await runningService({
			BETTER_AUTH_URL: `https://localhost:${port}`,
			TRUST_PROXY: "127.0.0.1",
		});
		const listener = await listen("127.0.0.1", 0);
		onTestFinished(() => listener.close());
		listener.serve(app.fetch as Parameters<typeof listener.serve>[0], gate);
		const nginx = await startNginx(port, [listener.port, listener.port]);
		const body = importBody(randomBytes(5 * 1024 * 1024));
		const imported = await send(nginx, "/service/tenant-file/import", body);
		expect([imported.status, JSON.parse(imported.text).code]).toEqual([400, "FILE_DAMAGED"]);
		expect((await send(nginx, "/service/mail-test", body)).status).toBe(413);
	});
});
