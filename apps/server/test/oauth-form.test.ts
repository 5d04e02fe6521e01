import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	atTheEndOfFile,
	type CreatedApplication,
	type IssuingTenant,
	type RunningIssuers,
	runningIssuers,
} from "./running-issuers";

const atTheEnd = atTheEndOfFile();
const FORM = "application/x-www-form-urlencoded";
const ENDPOINTS = [
	...["/oauth2/token", "/oauth2/introspect", "/oauth2/revoke", "/oauth2/userinfo", "/device/code"],
];

let issuers: RunningIssuers;
let acme: IssuingTenant;
let key: Awaited<ReturnType<typeof generateKeyPair>>;
let job: CreatedApplication;
let television: CreatedApplication;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd);
	acme = await issuers.newTenant("acme");
	key = await generateKeyPair("ES256", { extractable: true });
	const noPages = { redirectUris: [], postLogoutRedirectUris: [] };
	job = await issuers.createApplication(acme.tenantId, {
		...{ type: "machine", ...noPages },
		jwks: { keys: [await exportJWK(key.publicKey)] },
	});
	television = await issuers.createApplication(acme.tenantId, {
		...{ type: "native", deviceFlow: true, ...noPages },
	});
});

async function send(path: string, body: string, type = FORM) {
	const response = await fetch(`${acme.issuer}${path}`, {
		method: "POST",
		headers: { "content-type": type },
		body,
	});
	return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const refused = (description: string) => ({
	status: 400,
	body: { error: "invalid_request", error_description: description },
});

describe("a request to the protocol", () => {
	it.each(ENDPOINTS)("has one value of a name, and a form: %s", async (path) => {
		expect(await send(path, "client_id=a&client_id=b")).toEqual(
			refused("client_id is there twice"),
		);
		const types = [
			"application/json",
			"application/json; x=application/x-www-form-urlencoded",
			"application/x-www-form-urlencoded+json",
			"text/plain",
			"multipart/form-data; boundary=x",
		];
		for (const type of notEmpty(types)) {
			expect(await send(path, '{"client_id":"a"}', type)).toEqual(refused(`Send a form: ${FORM}`));
		}
	});

	it("has no second value that is empty, so that a check sees what the plugin uses", async () => {
		const claims = { aud: [acme.issuer, "https://other.example"], jti: crypto.randomUUID() };
		const assertion = await new SignJWT({ iss: job.clientId, sub: job.clientId, ...claims })
			.setProtectedHeader({ alg: "ES256" })
			.setIssuedAt()
			.setExpirationTime("1 min")
			.sign(key.privateKey);
		const form = new URLSearchParams({
			grant_type: "client_credentials",
			client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
			client_assertion: assertion,
		});
		for (const more of notEmpty(["", "&client_assertion=", "&client_id="])) {
			expect((await send("/oauth2/token", form + more)).body).toMatchObject({
				error: "invalid_client",
				error_description: "the client assertion is not for this issuer",
			});
		}
		const device = `client_id=${television.clientId}&scope=openid&user_id=${acme.userId}&user_id=`;
		expect(await send("/device/code", device)).toEqual(refused("user_id is not a parameter"));
	});

	it("may have several resources, an empty value, and a charset", async () => {
		const resources = "resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example";
		const body = `client_id=${television.clientId}&grant_type=refresh_token&refresh_token=x&scope=&${resources}`;
		const { body: answer } = await send("/oauth2/token", body, `${FORM}; charset=UTF-8`);
		expect(answer.error).not.toBe("invalid_request");
		const code = `client_id=${television.clientId}&scope=openid&audience=`;
		expect((await send("/device/code", code)).status).toBe(200);
	});
});
