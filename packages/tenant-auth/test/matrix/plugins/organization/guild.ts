import type { Attempt } from "../matrix";
import type { Maker, PluginWorld, Side } from "../world";

/** What the plugin has made for a side. */
export interface Guild {
	/** The user's own organization, which is the session's active one. */
	organizationId: string;
	/** Its slug, and that of no organization in the other tenant. */
	slug: string;
	/** The membership of the user's friend, and the friend. */
	memberId: string;
	friendId: string;
	/** Of somebody who belongs to no organization. */
	strangerId: string;
	/** That the user has sent. */
	invitationId: string;
	/** That the friend has sent to the user, for an organization of its own. */
	invitedId: string;
	teamId: string;
	/** To which the friend does not belong. */
	otherTeamId: string;
	roleId: string;
	roleName: string;
}

type World = PluginWorld<Guild>;

type Outcomes = Pick<Attempt<Guild>, "gets" | "otherwise" | "own" | "knows">;

/** A call of somebody who is signed in. */
export const post = (
	tries: string,
	path: string,
	body: (world: World) => object,
	outcomes: Outcomes,
): Attempt<Guild> => ({
	tries,
	call: (world) => ({ path: `/organization${path}`, body: body(world) }),
	by: "user",
	...outcomes,
});

export const get = (
	tries: string,
	path: string,
	query: (world: World) => Record<string, string>,
	outcomes: Outcomes,
): Attempt<Guild> => ({
	tries,
	call: (world) => ({ path: `/organization${path}`, query: query(world) }),
	by: "user",
	...outcomes,
});

export async function makeGuild(maker: Maker, { name, email }: Side): Promise<Guild> {
	const { as, to, db } = maker;
	const post = async (path: string, body: object) =>
		(await as(`/organization${path}`, { body })).body;
	const join = async (who: string) => {
		const body = { name: `${who} of ${name}`, email: `${who}@example.com`, password: "a password" };
		const { body: answer, cookie } = await to("/sign-up/email", { body });
		return { cookie, userId: String(answer.user.id) };
	};
	const [friend, stranger] = [await join("friend"), await join("stranger")];
	await db.updateTable("user").set({ emailVerified: 1 }).execute();
	const asFriend = async (path: string, body: object) =>
		(await to(`/organization${path}`, { body, cookie: friend.cookie })).body;

	const slug = `slug-of-${name}`;
	const { id: organizationId } = await post("/create", { name: `guild of ${name}`, slug });
	await post("/set-active", { organizationId });
	const invite = (to: string) => post("/invite-member", { email: to, role: "member" });
	const { id: accepted } = await invite("friend@example.com");
	const { member } = await asFriend("/accept-invitation", { invitationId: accepted });
	const { id: invitationId } = await invite("later@example.com");

	const friends = { name: `friends of ${name}`, slug: `friends-of-${name}` };
	const { id: theirs } = await asFriend("/create", friends);
	const invited = { email, role: "member", organizationId: theirs };
	const { id: invitedId } = await asFriend("/invite-member", invited);

	const [team, otherTeam] = [
		await post("/create-team", { name: `team of ${name}` }),
		await post("/create-team", { name: `other team of ${name}` }),
	];
	const me = (await as("/get-session")).body.user.id;
	for (const userId of [me, friend.userId]) {
		await post("/add-team-member", { teamId: team.id, userId });
	}
	const roleName = `role-of-${name}`;
	const permission = { member: ["create"] };
	const { roleData } = await post("/create-role", { role: roleName, permission });
	return {
		organizationId,
		slug,
		memberId: member.id,
		friendId: friend.userId,
		strangerId: stranger.userId,
		invitationId,
		invitedId,
		teamId: team.id,
		otherTeamId: otherTeam.id,
		roleId: roleData.id,
		roleName,
	};
}
