import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach } from "vitest";

type Verification = { secret: string; response: string; sitekey?: string; remoteip?: string };

/** What the provider does with the next verifications. */
type Behavior = "verify" | "fail" | "no-json" | "hang-up";

/** The server of a captcha provider. It accepts every solution that starts with `solved`, once. */
export function useCaptchaProvider() {
	const provider = { verifyUrl: "", behavior: "verify" as Behavior, seen: [] as Verification[] };
	const used = new Set<string>();
	const server = createServer((request, response) => {
		let text = "";
		request.on("data", (chunk) => {
			text += chunk;
		});
		request.on("end", () => {
			const isJson = request.headers["content-type"] === "application/json";
			const body: Verification = isJson
				? JSON.parse(text)
				: Object.fromEntries(new URLSearchParams(text));
			provider.seen.push(body);
			if (provider.behavior === "hang-up") return void request.socket.destroy();
			if (provider.behavior === "fail") return void response.writeHead(500).end();
			if (provider.behavior === "no-json") return void response.end("<html>maintenance</html>");
			const success = body.response.startsWith("solved") && !used.has(body.response);
			used.add(body.response);
			response.setHeader("content-type", "application/json");
			response.end(JSON.stringify({ success }));
		});
	});
	beforeAll(async () => {
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		provider.verifyUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/siteverify`;
	});
	afterAll(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	beforeEach(() => {
		provider.behavior = "verify";
		provider.seen.length = 0;
	});
	return provider;
}
