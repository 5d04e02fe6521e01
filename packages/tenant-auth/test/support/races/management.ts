import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { type Answer, type Instance, PASSWORD } from "../worlds/instance";
import { addPerson, type Person } from "../worlds/people";
import { type Finish, onBoth, type RaceTrack, rowsOf, SIX, succeeded } from "./race";
import { oauthConfig } from "./social";

/** How owners lose what they are, by a request of another owner or by their own. */
const removals: ((
	at: Instance,
	actor: Person,
	victim: Person,
	tenantId: string,
) => Promise<Answer>)[] = [
	({ call }, { cookie }, { id: userId }, tenantId) =>
		call("/tenant/user/delete", { body: { tenantId, userId }, cookie }),
	({ call }, { cookie }, { id: userId }, tenantId) =>
		call("/tenant/user/disable", { body: { tenantId, userId }, cookie }),
	({ call }, { cookie }, { id: userId }, tenantId) =>
		call("/tenant/user/update", { body: { tenantId, userId, role: "admin" }, cookie }),
	({ call }, _, { cookie }) => call("/delete-user", { body: { password: PASSWORD }, cookie }),
];

export async function removeOwners(track: RaceTrack, round: number): Promise<Finish> {
	const { one, other } = track;
	const tenantId = await one.makeTenant();
	const ada = await addPerson(one, tenantId, "owner");
	const bob = await addPerson(other, tenantId, "owner");
	// In sixteen rounds, each way meets each.
	const way = (index: number) => removals[index % removals.length] as (typeof removals)[number];
	const answers = await Promise.all([
		way(round)(one, ada, bob, tenantId),
		way(round + Math.floor(round / 4))(other, bob, ada, tenantId),
	]);
	expect(succeeded(answers)).toHaveLength(1);
	const users = await rowsOf(track, "user", tenantId);
	expect(users.filter((it) => it.tenantRole === "owner" && !it.disabledAt)).toHaveLength(1);
	// Who was removed first may not manage any more.
	const refusals = ["LAST_OWNER", "TENANT_MANAGEMENT_NOT_ALLOWED", "ROLE_NOT_ALLOWED"];
	return { tenantId, answers, refusals, acknowledged: [] };
}

export async function deleteTenant(track: RaceTrack): Promise<Finish> {
	const tenantId = await track.one.makeTenant();
	for (const n of SIX) await track.one.signUp(tenantId, `user${n}@example.com`);
	const answers = await onBoth(track, ({ manage }) =>
		manage("/tenant/delete", { body: { tenantId } }),
	);
	expect(succeeded(answers)).not.toEqual([]);
	return { tenantId, answers, refusals: ["TENANT_NOT_FOUND"], acknowledged: [] };
}

export async function takeSlug(track: RaceTrack): Promise<Finish> {
	const slug = `slug-${randomUUID()}`;
	const answers = await onBoth(track, ({ manage }) =>
		manage("/tenant/create", { body: { name: "Acme", slug } }),
	);
	const [winner, ...others] = succeeded(answers);
	expect(others).toEqual([]);
	const rows = await track.db.selectFrom("tenant").where("slug", "=", slug).selectAll().execute();
	expect(rows).toMatchObject([{ id: winner?.body.id }]);
	const tenantId = String(winner?.body.id);
	return { tenantId, answers, refusals: ["TENANT_ALREADY_EXISTS"], acknowledged: [] };
}

export async function registerConfig(track: RaceTrack): Promise<Finish> {
	const { one, gitlab } = track;
	const tenantId = await one.makeTenant();
	const answers = await onBoth(track, ({ manage }, n) => {
		const change = { clientId: `client-${n}`, scopes: [`scope-${n}`] };
		const body = oauthConfig(gitlab, tenantId, change);
		return manage("/tenant/oauth-config/register", { body });
	});
	expect(new Set(succeeded(answers).map(({ body }) => body.id)).size).toBe(1);
	expect(await rowsOf(track, "tenantOauthConfig", tenantId)).toHaveLength(1);
	const { body } = await one.manage("/tenant/oauth-config/list", { query: { tenantId } });
	const [{ clientId, scopes }] = body;
	expect(scopes).toEqual([clientId.replace("client", "scope")]);
	return { tenantId, answers, refusals: [], acknowledged: [] };
}
