import * as openid from "openid-client";
import { beforeAll, expect, it } from "vitest";
import {
	atTheEndOfFile,
	connect,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "../running-issuers";
import { asManager } from "../running-service";
import { type Body, patch, person } from "./scim-tenant";

const atTheEnd = atTheEndOfFile();

let issuers: RunningIssuers;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, { SCIM: "true" });
});

const send = async (url: string, method: string, body: object, headers: object): Promise<Body> =>
	(
		await fetch(url, {
			method,
			headers: { "content-type": "application/json", ...headers },
			body: JSON.stringify(body),
		})
	).json();

it("a user whom the directory disables loses the apps at once", async () => {
	const acme = await issuers.newTenant("acme");
	const { tenantId, email, userId, issuer } = acme;
	const manage = (path: string, body: object) =>
		send(`${issuers.baseUrl}/api/auth${path}`, "POST", { tenantId, ...body }, asManager);
	await manage("/tenant/user/update", { userId, emailVerified: true });
	const { token } = await manage("/tenant/scim/create-token", { name: "Okta" });
	const scim = (method: string, path: string, body: object) =>
		send(`${issuer}/scim/v2${path}`, method, body, { authorization: `Bearer ${token}` });

	const config = await connect(acme, await issuers.createApplication(tenantId));
	const { tokens } = await signInAt(issuers, acme, config);
	const refresh = tokens.refresh_token ?? "";
	const { id } = await scim("POST", "/Users", person(email));
	expect(await openid.tokenIntrospection(config, tokens.access_token)).toMatchObject({
		active: true,
	});
	const off = patch({ op: "Replace", path: "active", value: "False" });
	expect(await scim("PATCH", `/Users/${id}`, off)).toMatchObject({ active: false });
	expect(await openid.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
	await expect(openid.refreshTokenGrant(config, refresh)).rejects.toMatchObject({
		error: "invalid_grant",
	});
});
