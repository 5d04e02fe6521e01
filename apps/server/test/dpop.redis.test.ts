import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { services } from "../../../testing/services";
import { asManager, newTenant, runningService } from "./running-service";
import { temporaryDirectory } from "./temporary-directory";

describe.skipIf(!services.redis)("two servers with Redis", () => {
	test("accept a proof of a key once", async () => {
		const { privateKey, publicKey } = await generateKeyPair("ES256");
		const environment = {
			...{ REDIS_URL: services.redis ?? "", DATA_DIR: temporaryDirectory(), DPOP: "true" },
		};
		const one = await runningService(environment);
		const two = await runningService(environment);
		const tenantId = await newTenant(one.post, "acme");
		const job = { tenantId, name: "Job", type: "machine", dpop: true };
		const created = await one.post("/tenant/application/create", job, asManager);
		const { clientId, clientSecret } = (await created.json()) as Record<string, string>;
		const path = "/t/acme/oauth2/token";
		const jwk = await exportJWK(publicKey);
		const sign = () =>
			new SignJWT({ htm: "POST", htu: `${one.baseUrl}${path}`, jti: crypto.randomUUID() })
				.setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk })
				.setIssuedAt()
				.sign(privateKey);
		const ask = async ({ call }: typeof one, dpop: string) =>
			(
				await call(path, {
					method: "POST",
					headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`, dpop },
					body: new URLSearchParams({ grant_type: "client_credentials" }),
				})
			).status;
		const first = await sign();
		expect([await ask(one, first), await ask(two, first), await ask(one, first)]).toEqual([
			...[200, 400, 400],
		]);
		const second = await sign();
		const statuses = await Promise.all([one, two, one, two].map((it) => ask(it, second)));
		expect(statuses.sort()).toEqual([200, 400, 400, 400]);
	});
});
