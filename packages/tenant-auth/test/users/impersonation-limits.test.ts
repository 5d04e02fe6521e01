import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { deviceAuthorization, twoFactor } from "better-auth/plugins";
import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { ORIGIN, PASSWORD } from "../support/worlds/instance";
import { makePeople } from "../support/worlds/people";

const roles = { agent: tenantAccess.newRole({ user: ["impersonate"] }) };

async function makeWorld() {
	const plugins = [apiKey(), passkey(), twoFactor(), deviceAuthorization()];
	const app = await makePeople({
		plugins: plugins as unknown as BetterAuthPlugin[],
		socialProviders: { github: { clientId: "id", clientSecret: "secret" } },
		user: {
			deleteUser: { enabled: true },
			changeEmail: { enabled: true, updateEmailWithoutVerification: true },
		},
		tenants: { roles },
	});
	const agent = await app.add("agent");
	const { cookie } = await app.call("/tenant/user/impersonate", {
		body: { userId: app.member.id, reason: "An invoice", setCookie: true },
		cookie: agent.cookie,
	});
	return { ...app, agent, cookie };
}

/** What would let the impersonator in later, or lock the user out. */
const WAYS: [string, object | undefined][] = [
	// It contains the tokens of the user's own sessions.
	["/list-sessions", undefined],
	["/api-key/create", { name: "robot" }],
	["/passkey/generate-register-options", undefined],
	["/link-social", { provider: "github" }],
	["/change-email", { newEmail: "mallory@example.com" }],
	["/change-password", { currentPassword: PASSWORD, newPassword: "another password" }],
	["/two-factor/enable", { password: PASSWORD }],
	["/delete-user", { password: PASSWORD }],
];

describe("whoever impersonates a user", () => {
	it.each(WAYS)("gets nothing that lasts: %s", async (path, body) => {
		const { call, read, cookie, member } = await makeWorld();
		const before = await read(member);
		const headers = { origin: ORIGIN };
		const answer = await call(path, { cookie, headers, ...(body ? { body } : {}) });
		expect(answer.status).toBe(401);
		expect(await read(member)).toEqual(before);
		// The session itself goes on.
		expect((await call("/get-session", { cookie })).body.user.id).toBe(member.id);
		const own = await call(path, { cookie: member.cookie, headers, ...(body ? { body } : {}) });
		expect(own.status).toBe(200);
	});

	it("cannot approve a device", async () => {
		const { call, cookie, tenantId, member } = await makeWorld();
		const asked = await call("/device/code", {
			body: { client_id: "tv" },
			tenant: tenantId,
		});
		const userCode = asked.body.user_code;
		const query = { user_code: userCode };
		await call("/device", { query, cookie: member.cookie });
		const refused = await call("/device/approve", { cookie, body: { userCode } });
		expect(refused.status).toBe(401);
	});

	it("is named in the lists of sessions", async () => {
		const { manage, agent, member, tenantId } = await makeWorld();
		const all = await manage("/tenant/session/list", { query: { tenantId } });
		const named = all.body.filter((it: { impersonatedBy: string | null }) => it.impersonatedBy);
		expect(named).toEqual([
			expect.objectContaining({ userId: member.id, impersonatedBy: `member:${agent.id}` }),
		]);
		const query = { tenantId, userId: member.id };
		const { sessions } = (await manage("/tenant/user/get", { query })).body;
		const impersonators = sessions.map(
			(it: { impersonatedBy: string | null }) => it.impersonatedBy,
		);
		expect(impersonators.sort()).toEqual([`member:${agent.id}`, null].sort());
	});

	it("is not named to the tenant's people, if they work for the app", async () => {
		const { call, manage, owner, member, tenantId } = await makeWorld();
		const body = { tenantId, userId: member.id, reason: "An invoice" };
		await manage("/tenant/user/impersonate", { body });
		const { body: sessions } = await call("/tenant/session/list", { cookie: owner.cookie });
		const named = sessions.flatMap(
			({ impersonatedBy }: { impersonatedBy: string | null }) => impersonatedBy ?? [],
		);
		expect(named.sort()).toEqual(["key", expect.stringMatching(/^member:/)]);
		const query = { tenantId, action: "user:impersonate" };
		const { body: events } = await manage("/tenant/audit/list", { query });
		const key = events.find((it: { actor: { kind: string } }) => it.actor.kind === "key");
		const filtered = { ...query, actorId: key.actor.id };
		expect((await manage("/tenant/audit/list", { query: filtered })).body).toHaveLength(1);
		const probed = await call("/tenant/audit/list", { query: filtered, cookie: owner.cookie });
		expect([probed.status, probed.body]).toEqual([200, []]);
	});
});
