import { describe, expect, test } from "vitest";
import { asManager, cookiesOf, newSlug, newTenant, newUser, useService } from "./running-service";

const service = useService({ SCIM: "true", SAML: "true" });

/** The session of an owner, and one in which somebody impersonates the same owner. */
async function ownerSessions() {
	const { post, call } = await service();
	const tenantId = await newTenant(post, newSlug());
	const named = { "x-tenant-id": tenantId };
	const signUp = await post("/tenant/sign-up/email", newUser("owner@example.com"), named);
	const { user } = (await signUp.clone().json()) as { user: { id: string } };
	const userId = user.id;
	await post("/tenant/user/update", { tenantId, userId, role: "owner" }, asManager);
	const origin = "http://localhost:3000";
	const body = { tenantId, userId, reason: "A ticket", setCookie: true };
	const impersonated = await post("/tenant/user/impersonate", body, { ...asManager, origin });
	const as = (response: Response) => {
		const headers = { cookie: cookiesOf(response), origin, ...named };
		return {
			send: async (path: string, more: object = {}) => (await post(path, more, headers)).status,
			read: async (path: string) => {
				const response = await call(`/api/auth${path}`, { headers });
				return { status: response.status, body: await response.json() };
			},
		};
	};
	return { tenantId, owner: as(signUp), impersonator: as(impersonated) };
}

/** What would stay when the impersonation ends, with a body that is valid except for ids. */
const CHANGES: [path: string, body: object, forOwner: number][] = [
	["/tenant/scim/create-token", { name: "Okta" }, 200],
	["/tenant/scim/revoke-token", { id: "none" }, 404],
	["/tenant/scim/set-roles", { roles: {} }, 200],
	["/tenant/saml/set", { metadata: "<x/>" }, 409],
	["/tenant/saml/refresh", {}, 404],
	["/tenant/saml/test", {}, 404],
	["/tenant/saml/start-test", {}, 404],
	["/tenant/saml/remove", {}, 404],
];

describe("a session that impersonates an owner", () => {
	test.each(CHANGES)("cannot call %s", async (path, body, forOwner) => {
		const { tenantId, owner, impersonator } = await ownerSessions();
		expect((await impersonator.read("/get-session")).body).toHaveProperty("user.id");
		expect(await impersonator.send(path, { tenantId, ...body })).toBe(403);
		expect(await owner.send(path, { tenantId, ...body })).toBe(forOwner);
	});

	test.each(["/tenant/scim/get", "/tenant/saml/get"])("cannot read %s", async (path) => {
		const { tenantId, owner, impersonator } = await ownerSessions();
		const query = `${path}?tenantId=${tenantId}`;
		expect((await impersonator.read(query)).status).toBe(403);
		expect((await owner.read(query)).status).toBe(200);
	});

	test("cannot change the preferences or the metadata of the user", async () => {
		const { tenantId, owner, impersonator } = await ownerSessions();
		const { body } = await owner.read("/get-session");
		const preferences = { locale: "de" };
		expect(await owner.send("/preferences/update", { preferences })).toBe(200);
		const other = { preferences: { locale: "fr" } };
		expect(await impersonator.send("/preferences/update", other)).toBe(401);
		const managed = { tenantId, userId: body.user.id, metadata: { department: "Board" } };
		expect(await impersonator.send("/tenant/user-metadata/update", managed)).toBe(403);
		expect((await owner.read("/preferences/get")).body).toEqual({ preferences });
	});
});
