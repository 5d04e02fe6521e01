import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import * as openid from "openid-client";
import { describe, expect, onTestFinished, test } from "vitest";
import { databaseServers } from "./database-servers";
import { logoutReceiver } from "./logout-receiver";
import { connect, runningIssuers, signInAt } from "./running-issuers";

/** Where an app publishes its key, on this machine. */
async function keyServer(jwk: object): Promise<string> {
	const server = createServer((_, response) => {
		response.end(JSON.stringify({ keys: [jwk] }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(async () => {
		server.closeAllConnections();
		server.close();
		await once(server, "close");
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
}

for (const { name, isMissing, createDatabase } of databaseServers) {
	describe.skipIf(isMissing)(`on ${name}`, () => {
		test("an app authenticates with published keys, and hears once that a session has ended", async () => {
			const receiver = await logoutReceiver(onTestFinished);
			const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
			const jwk = { ...(await exportJWK(publicKey)), kid: "first" };
			const issuers = await runningIssuers(onTestFinished, {
				DATABASE_URL: await createDatabase(),
				ALLOW_PRIVATE_PROVIDER_HOSTS: "true",
				WEBHOOK_INTERVAL_SECONDS: "1",
			});
			const acme = await issuers.newTenant("acme");
			const app = await issuers.createApplication(acme.tenantId, {
				backchannelLogoutUri: receiver.url,
				jwksUri: await keyServer(jwk),
			});
			const authentication = openid.PrivateKeyJwt({ key: privateKey, kid: "first" });
			const config = await connect(acme, app, authentication);
			const { browser, tokens } = await signInAt(issuers, acme, config);
			await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
			const other = await signInAt(issuers, acme, config);
			for (const one of [browser, other.browser]) {
				const told = once(receiver.calls, "call");
				const headers = { "x-tenant-id": acme.tenantId, origin: issuers.baseUrl };
				await issuers.post("/sign-out", {}, { ...headers, cookie: one.cookieHeader() });
				await told;
			}
			const heard = (await receiver.verified(acme, app.clientId)).map(({ sid }) => sid);
			expect(heard).toEqual([tokens.claims()?.sid, other.tokens.claims()?.sid]);
		});
	});
}
