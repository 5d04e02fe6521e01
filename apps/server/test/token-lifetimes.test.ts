import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import {
	API,
	atTheEndOfFile,
	type CreatedApplication,
	connect,
	type IssuingTenant,
	newBrowser,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";
import { asManager } from "./running-service";

const atTheEnd = atTheEndOfFile();
const SHORT = { accessTokenMinutes: 5, idTokenMinutes: 10 };

let issuers: RunningIssuers;
let acme: IssuingTenant;

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, { ACCESS_TOKEN_MINUTES: "30", ID_TOKEN_MINUTES: "40" });
	acme = await issuers.newTenant("acme");
});

type Tokens = {
	access_token: string;
	id_token?: string | undefined;
	expires_in?: number | undefined;
};

const minutesOf = (claims: { iat?: unknown; exp?: unknown }) =>
	(Number(claims.exp) - Number(claims.iat)) / 60;

/** How many minutes tokens are valid, by what they and the introspection say. */
async function lifetimes(config: openid.Configuration, tokens: Tokens) {
	const { access_token, id_token, expires_in = 0 } = tokens;
	return {
		announced: expires_in / 60,
		access: minutesOf(await openid.tokenIntrospection(config, access_token)),
		id: id_token === undefined ? null : minutesOf(decodeJwt(id_token)),
	};
}

const machine = { type: "machine", redirectUris: [], postLogoutRedirectUris: [] };

describe("the tokens of an application", () => {
	it.each([
		["as short as it has them", SHORT, { announced: 5, access: 5, id: 10 }],
		["as the service has them", {}, { announced: 30, access: 30, id: 40 }],
		[
			"no longer than the service has them",
			{ accessTokenMinutes: 1440, idTokenMinutes: 1440 },
			{ announced: 30, access: 30, id: 40 },
		],
		["each for itself", { idTokenMinutes: 1 }, { announced: 30, access: 30, id: 1 }],
	])("are valid %s", async (_, more, expected) => {
		const config = await connect(acme, await issuers.createApplication(acme.tenantId, more));
		const { tokens } = await signInAt(issuers, acme, config);
		expect(await lifetimes(config, tokens)).toEqual(expected);
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(await lifetimes(config, next)).toEqual(expected);
	});

	it.each([
		["its secret in the form", () => ({ type: "web" }), openid.ClientSecretPost],
		["its secret in the header", () => ({ type: "web" }), openid.ClientSecretBasic],
		["no secret", () => ({ type: "spa" }), () => openid.None()],
	])("are found for a client with %s", async (_, type, authentication) => {
		const application = await issuers.createApplication(acme.tenantId, { ...SHORT, ...type() });
		const method = authentication(application.clientSecret ?? "");
		const { tokens } = await signInAt(issuers, acme, await connect(acme, application, method));
		expect([tokens.expires_in, minutesOf(tokens.claims() ?? {})]).toEqual([300, 10]);
	});

	it("are found for a JWT, a program, a device and an application of all tenants", async () => {
		const web = await connect(acme, await issuers.createApplication(acme.tenantId, SHORT));
		const scope = "openid read";
		const { tokens: jwt } = await signInAt(issuers, acme, web, { scope, resource: API });
		expect(minutesOf(decodeJwt(jwt.access_token))).toBe(5);

		const job = await issuers.createApplication(acme.tenantId, {
			...{ ...machine, accessTokenMinutes: 7 },
		});
		const own = await openid.clientCredentialsGrant(await connect(acme, job));
		expect(own.expires_in).toBe(7 * 60);

		const shared = await connect(acme, await issuers.createServiceApplication(SHORT));
		const { tokens: everywhere } = await signInAt(issuers, acme, shared);
		expect(await lifetimes(shared, everywhere)).toEqual({ announced: 5, access: 5, id: 10 });

		const television = await issuers.createApplication(acme.tenantId, {
			...{ ...SHORT, type: "native", deviceFlow: true },
		});
		const device = await connect(acme, television);
		const asked = await openid.initiateDeviceAuthorization(device, { scope: "openid" });
		const browser = newBrowser(issuers);
		await browser.signIn(acme);
		const headers = {
			"x-tenant-id": acme.tenantId,
			origin: issuers.baseUrl,
			cookie: browser.cookieHeader(),
		};
		const code = asked.user_code;
		await fetch(`${issuers.baseUrl}/api/auth/device?user_code=${code}`, { headers });
		await issuers.post("/device/approve", { userCode: code }, headers);
		const shown = await openid.pollDeviceAuthorizationGrant(device, asked);
		expect([shown.expires_in, minutesOf(shown.claims() ?? {})]).toEqual([300, 10]);
	});

	it("are not those of another application that asks at the same time", async () => {
		const apps = await Promise.all(
			[3, 4, 5, 6].map((accessTokenMinutes) =>
				issuers.createApplication(acme.tenantId, { ...machine, accessTokenMinutes }),
			),
		);
		const configs = await Promise.all(apps.map((app) => connect(acme, app)));
		const asked = [...configs, ...configs, ...configs].map(async (config) => {
			return (await openid.clientCredentialsGrant(config)).expires_in;
		});
		const minutes = (await Promise.all(asked)).map((seconds = 0) => seconds / 60);
		expect(minutes).toEqual([3, 4, 5, 6, 3, 4, 5, 6, 3, 4, 5, 6]);
	});

	it("are not those of another application that the request names too", async () => {
		const short = await issuers.createApplication(acme.tenantId, {
			...{ ...machine, accessTokenMinutes: 2 },
		});
		const long = await issuers.createApplication(acme.tenantId, machine);
		const ask = async ({ clientId, clientSecret }: CreatedApplication, more: object) => {
			const response = await fetch(`${acme.issuer}/oauth2/token`, {
				method: "POST",
				headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
				body: new URLSearchParams({ grant_type: "client_credentials", ...more }),
			});
			return ((await response.json()) as { expires_in?: number }).expires_in ?? 0;
		};
		expect(await ask(short, { client_id: long.clientId })).toBeLessThanOrEqual(120);
		expect(await ask(short, { client_assertion: "e30.e30.e30" })).toBeLessThanOrEqual(120);
	});

	it("change with the next token", async () => {
		const application = await issuers.createApplication(acme.tenantId, SHORT);
		const config = await connect(acme, application);
		const { tokens } = await signInAt(issuers, acme, config);
		await issuers.manage("/tenant/application/update", {
			...{ tenantId: acme.tenantId, clientId: application.clientId },
			...{ accessTokenMinutes: 1, idTokenMinutes: null },
		});
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(await lifetimes(config, next)).toEqual({ announced: 1, access: 1, id: 40 });
	});
});

it.each([0, -1, 1.5, 1441, "5"])("an application cannot have a lifetime of %j", async (minutes) => {
	const body = { tenantId: acme.tenantId, name: "Job", type: "machine" };
	for (const field of ["accessTokenMinutes", "idTokenMinutes"]) {
		const given = { ...body, [field]: minutes };
		expect((await issuers.post("/tenant/application/create", given, asManager)).status).toBe(400);
	}
});
