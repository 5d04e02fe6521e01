import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { freePort } from "../../../testing/ports";
import { services } from "../../../testing/services";
import { textOfDocument } from "./documented-app";
import { runNginx, temporaryPaths } from "./nginx-process";
import { runningIssuers } from "./running-issuers";
import { temporaryDirectory } from "./temporary-directory";

it.skipIf(!services.nginx)("nginx lets requests with a session pass, and no others", async () => {
	const issuers = await runningIssuers(onTestFinished, { SESSION_TOKENS: "true" });
	const acme = await issuers.newTenant("acme");
	const backend = createServer((_, response) => response.end("private"));
	await once(backend.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => void backend.close());
	const directory = temporaryDirectory();
	const port = await freePort();
	const locations = textOfDocument("private.conf")
		.replace("https://auth.example.com", issuers.baseUrl)
		.replace(
			"auth_request",
			`proxy_pass http://127.0.0.1:${(backend.address() as AddressInfo).port};\n auth_request`,
		);
	writeFileSync(
		join(directory, "nginx.conf"),
		`events {} http { access_log off; ${temporaryPaths(directory)}
		server { listen 127.0.0.1:${port}; ${locations} } }`,
	);
	await runNginx(directory, port);
	const ask = async (headers: Record<string, string>, path = "/private/") => {
		const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
		return [response.status, await response.text()];
	};
	const signedIn = await issuers.post(
		"/tenant/sign-in/email",
		{ email: acme.email, password: "correct horse battery" },
		{ "x-tenant-id": acme.tenantId },
	);
	const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
	expect(await ask({ cookie })).toEqual([200, "private"]);
	expect((await ask({}))[0]).toBe(401);
	expect((await ask({ cookie: cookie.replace(/=./, "=x") }))[0]).toBe(401);
	expect((await ask({ cookie }, "/check-session"))[0]).toBe(404);
});
