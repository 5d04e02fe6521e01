import type { Where } from "@better-auth/core/db/adapter";
import { PLATFORM, PLATFORM_ID } from "../../call/context/tenant";
import type { Row } from "../../isolation/raw-adapter";
import { idOf, inBatches, keepOwn, withIds } from "../../isolation/row-owners";
import { importError } from "./import-error";
import type { Reading } from "./owned-rows";

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

export interface Organization {
	row: Row;
	members: { userId: string; role: string }[];
	/** The other organizations of those who are in several, by user. */
	others: ReadonlyMap<string, string[]>;
	invitations: Row[];
}

const equals = (field: string, value: string): Where => ({ field, value });

async function findOwn({ raw, ctx }: Reading, model: string, where: Where[]): Promise<Row[]> {
	if (!ctx.tables[model]) return [];
	return keepOwn(raw, model, await raw.findMany<Row>({ model, where, limit: NO_LIMIT }), PLATFORM);
}

/** @throws APIError `ORGANIZATION_NOT_FOUND` */
export async function readOrganization(reading: Reading, id: string): Promise<Organization> {
	const found = await findOwn(reading, "organization", [equals("id", id)]);
	// MySQL ignores case.
	const row = found.find((row) => idOf(row) === id);
	if (!row) throw importError("ORGANIZATION_NOT_FOUND");
	const members = (await findOwn(reading, "member", [equals("organizationId", id)])).map(
		({ userId, role }) => ({ userId: String(userId), role: String(role) }),
	);
	const others = new Map<string, string[]>();
	for (const batch of inBatches(members.map(({ userId }) => userId))) {
		const all = await findOwn(reading, "member", [
			{ field: "userId", operator: "in", value: batch },
		]);
		for (const { userId, organizationId } of all) {
			if (organizationId === id) continue;
			const known = others.get(String(userId)) ?? [];
			others.set(String(userId), [...known, String(organizationId)]);
		}
	}
	const invitations = await findOwn(reading, "invitation", [equals("organizationId", id)]);
	return { row, members, others, invitations };
}

/** The rows by which a user takes part in an organization. */
async function findParts(reading: Reading, organizationId: string, userId: string) {
	const own = equals("organizationId", organizationId);
	const teams = await findOwn(reading, "team", [own]);
	const teamMembers = await findOwn(reading, "teamMember", [equals("userId", userId)]);
	const teamIds = teams.map(idOf);
	return {
		member: await findOwn(reading, "member", [own, equals("userId", userId)]),
		teamMember: teamMembers.filter(({ teamId }) => teamIds.includes(String(teamId))),
		invitation: await findOwn(reading, "invitation", [own, equals("inviterId", userId)]),
	};
}

/** Takes a user out of an organization, with the invitations that they have sent. */
export async function leaveOrganization(
	reading: Reading,
	organizationId: string,
	userId: string,
): Promise<void> {
	const parts = await findParts(reading, organizationId, userId);
	for (const [model, rows] of Object.entries(parts)) {
		for (const batch of inBatches(rows.map(idOf))) {
			await reading.raw.deleteMany({ model, where: [withIds(batch)] });
		}
	}
	await forgetActiveOrganization(reading, organizationId, userId);
}

/** Lets another user take part in an organization in place of a user. */
export async function replaceMember(
	reading: Reading,
	organizationId: string,
	userId: string,
	newUserId: string,
): Promise<void> {
	const { member, teamMember, invitation } = await findParts(reading, organizationId, userId);
	const update = async (model: string, rows: Row[], values: Row) => {
		for (const batch of inBatches(rows.map(idOf))) {
			await reading.raw.updateMany({ model, where: [withIds(batch)], update: values });
		}
	};
	await update("member", member, { userId: newUserId });
	await update("invitation", invitation, { inviterId: newUserId });
	// The key is a digest of the user's id. Without one, the plugin finds the row by team and user.
	const hasKey = reading.ctx.tables.teamMember?.fields.membershipKey !== undefined;
	await update("teamMember", teamMember, {
		userId: newUserId,
		...(hasKey ? { membershipKey: null } : {}),
	});
	await forgetActiveOrganization(reading, organizationId, userId);
}

async function forgetActiveOrganization(
	{ ctx, raw }: Reading,
	organizationId: string,
	userId: string,
): Promise<void> {
	if (!ctx.tables.session?.fields.activeOrganizationId) return;
	const hasTeams = ctx.tables.session.fields.activeTeamId !== undefined;
	await raw.updateMany({
		model: "session",
		where: [
			equals("userId", userId),
			equals("tenantId", PLATFORM_ID),
			equals("activeOrganizationId", organizationId),
		],
		update: { activeOrganizationId: null, ...(hasTeams ? { activeTeamId: null } : {}) },
	});
}
