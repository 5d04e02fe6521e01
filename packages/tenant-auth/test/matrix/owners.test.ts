import { tenantAccess } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { managedRoutes, type Target, validCall } from "../support/http/endpoint-calls";
import { expectRefusal } from "../support/http/refusal";
import { useWorld } from "../support/worlds/world";
import { splitRows, watchStores } from "./tenant-rows";
import { makeWorld as makeMatrix, secretsOf } from "./world";

/** B's owner has every permission that a role can have. */
const roles = { agent: tenantAccess.newRole({ user: ["impersonate"] }) };

async function makeWorld() {
	const world = await makeMatrix(() => ({}), { roles });
	const { body, cookie } = await world.signUp(world.b.tenantId, "owner@example.com");
	await world.db
		.updateTable("user")
		.set({ tenantRole: "owner" })
		.where("id", "=", body.user.id)
		.execute();
	return { ...world, owner: cookie, savedRows: splitRows(world, world.a.tenantId) };
}

const ways: [string, (b: string) => { tenant?: string; query?: Record<string, string> }][] = [
	["naming A", () => ({})],
	["naming A, and itself in the header", (b) => ({ tenant: b })],
];

/** Owners cannot reach users of the platform, whoever they are. */
const targetOf = (side: Omit<Target, "platformUserId">): Target => ({
	...side,
	platformUserId: "unknown",
});

const built = useWorld(makeWorld);

describe.each(managedRoutes)("the owner of B at $path", ({ name, path }) => {
	it.each(ways)("is refused, %s, and neither reads nor changes anything of A", async (_, more) => {
		const world = built();
		const { a, b, owner, savedRows } = world;
		const hasChanged = watchStores(world);
		const call = validCall(name, targetOf(a));
		const answer = await world.call(path, { ...call, ...more(b.tenantId), cookie: owner });
		expectRefusal(answer, 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		if (hasChanged()) expect(splitRows(world, a.tenantId).own).toEqual(savedRows.own);
		const sent = JSON.stringify([answer.body, [...answer.headers]]);
		for (const secret of notEmpty(secretsOf(world))) expect(sent).not.toContain(secret);
	});
});

const nobody: Target = {
	...{ tenantId: "", email: "", userId: "", sessionId: "", cookie: "", platformUserId: "" },
	...{ webhookId: "", deliveryId: "", domainId: "", invitationId: "", invitationToken: "" },
};
const aboutUsers = managedRoutes.filter(({ name, action }) => {
	// No role permits it, in no tenant.
	if (action === "user:sign-in-link") return false;
	const { body, query } = validCall(name, nobody);
	return "userId" in { ...body, ...query };
});

describe("the owner of B who names B", () => {
	it.each(aboutUsers)("finds no user of A at $path", async ({ name, path }) => {
		const world = built();
		const { a, b, owner } = world;
		const call = validCall(name, targetOf(a));
		const answer = await world.call(path, {
			...(call.body ? { body: { ...call.body, tenantId: b.tenantId } } : {}),
			...(call.query ? { query: { ...call.query, tenantId: b.tenantId } } : {}),
			tenant: a.tenantId,
			cookie: owner,
		});
		expectRefusal(answer, 404, "USER_NOT_FOUND");
	});
});
