import { decodeJwt } from "jose";
import * as openid from "openid-client";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import {
	API,
	atTheEndOfFile,
	connect,
	type IssuingTenant,
	machineToken,
	type RunningIssuers,
	runningIssuers,
	signInAt,
} from "./running-issuers";

let issuers: RunningIssuers;
let acme: IssuingTenant;
let globex: IssuingTenant;

const atTheEnd = atTheEndOfFile();

beforeAll(async () => {
	issuers = await runningIssuers(atTheEnd, {
		TENANT_ROLES: JSON.stringify({ support: ["user:list", "user:get"] }),
	});
	acme = await issuers.newTenant("acme");
	globex = await issuers.newTenant("globex");
});

const setRole = ({ tenantId, userId }: IssuingTenant, role: string) =>
	issuers.manage("/tenant/user/update", { tenantId, userId, role });

/** What each token of a sign-in says. */
async function claimsOf(
	tenant: IssuingTenant,
	application: Parameters<typeof connect>[1],
	scope: string,
) {
	const config = await connect(tenant, application);
	const { tokens } = await signInAt(issuers, tenant, config, { scope, resource: API });
	const opaque = await signInAt(issuers, tenant, config, { scope });
	return {
		idToken: { ...tokens.claims() } as Record<string, unknown>,
		accessToken: decodeJwt(tokens.access_token),
		introspected: await openid.tokenIntrospection(config, opaque.tokens.access_token),
		userInfo: await openid.fetchUserInfo(config, tokens.access_token, tenant.userId),
	};
}

describe("roles and permissions", () => {
	it("are in every token of an application that asks for them", async () => {
		await setRole(acme, "support");
		const application = await issuers.createApplication(acme.tenantId);
		const claims = Object.values(await claimsOf(acme, application, "openid roles permissions"));
		expect(claims).toHaveLength(4);
		for (const each of notEmpty(claims)) {
			expect(each).toMatchObject({
				tenant_id: acme.tenantId,
				roles: ["support"],
				permissions: ["user:list", "user:get"],
			});
		}
	});

	it("are in no token without their scopes", async () => {
		await setRole(acme, "admin");
		const application = await issuers.createApplication(acme.tenantId);
		const claims = Object.values(await claimsOf(acme, application, "openid profile email"));
		expect(claims).toHaveLength(4);
		for (const each of notEmpty(claims)) {
			expect(each).toMatchObject({ tenant_id: acme.tenantId });
			expect(each).not.toHaveProperty("roles");
			expect(each).not.toHaveProperty("permissions");
		}
	});

	it("change with the role: at once in the user info, and in the tokens of a refresh", async () => {
		await setRole(acme, "admin");
		const config = await connect(acme, await issuers.createApplication(acme.tenantId));
		const scope = "openid roles permissions offline_access";
		const { tokens } = await signInAt(issuers, acme, config, { scope });
		expect(tokens.claims()).toMatchObject({ roles: ["admin"] });
		await setRole(acme, "member");
		const info = await openid.fetchUserInfo(config, tokens.access_token, acme.userId);
		expect(info).toMatchObject({ roles: ["member"], permissions: [] });
		const next = await openid.refreshTokenGrant(config, tokens.refresh_token ?? "");
		expect(next.claims()).toMatchObject({ roles: ["member"], permissions: [] });
	});

	it("of one tenant are not those of another, at an application of all tenants", async () => {
		await setRole(acme, "admin");
		const application = await issuers.createServiceApplication();
		const ofAcme = await claimsOf(acme, application, "openid roles");
		const ofGlobex = await claimsOf(globex, application, "openid roles");
		expect([ofAcme.idToken.roles, ofGlobex.idToken.roles]).toEqual([["admin"], ["member"]]);
		expect(ofGlobex.accessToken.tenant_id).toBe(globex.tenantId);
	});

	it("are not for programs without users", async () => {
		const claims = decodeJwt(await machineToken(issuers, acme));
		expect(claims).toMatchObject({ tenant_id: acme.tenantId });
		expect(claims).not.toHaveProperty("roles");
		const refused = issuers.createApplication(acme.tenantId, {
			...{ type: "machine", redirectUris: [], postLogoutRedirectUris: [], scopes: ["roles"] },
		});
		await expect(refused).rejects.toThrow("INVALID_APPLICATION");
	});
});

describe("the claims of the scopes in the ID token", () => {
	const standard = {
		name: "Ada Lovelace",
		given_name: "Ada",
		family_name: "Lovelace",
		email_verified: false,
	};

	it("are those of the user info, for a new application", async () => {
		const application = await issuers.createApplication(acme.tenantId);
		const { idToken, userInfo } = await claimsOf(acme, application, "openid profile email");
		expect(idToken).toMatchObject({ ...standard, email: acme.email });
		expect(idToken).toMatchObject(userInfo);
	});

	it("are there for the granted scopes only", async () => {
		const application = await issuers.createApplication(acme.tenantId);
		const { idToken } = await claimsOf(acme, application, "openid email");
		expect(idToken).toMatchObject({ email: acme.email, email_verified: false });
		for (const claim of ["name", "given_name", "family_name", "picture"]) {
			expect(idToken).not.toHaveProperty(claim);
		}
	});

	it("are not there if the application has them off, and the tenant can turn them on", async () => {
		const { tenantId } = acme;
		const application = await issuers.createApplication(tenantId, { claimsInIdToken: false });
		const before = await claimsOf(acme, application, "openid profile email");
		expect(before.idToken).not.toHaveProperty("email");
		expect(before.idToken).not.toHaveProperty("name");
		expect(before.userInfo).toMatchObject({ ...standard, email: acme.email });
		const { clientId } = application;
		const changes = { tenantId, clientId, claimsInIdToken: true };
		expect(await issuers.manage("/tenant/application/update", changes)).toMatchObject({
			claimsInIdToken: true,
		});
		const after = await claimsOf(acme, application, "openid profile email");
		expect(after.idToken).toMatchObject({ ...standard, email: acme.email });
	});
});
