import { admin } from "better-auth/plugins";
import { expect } from "vitest";
import { type Attempt, answers, type Outcome, type PluginMatrix, refused } from "./matrix";

interface Staff {
	/** A user whom the administrator administers. */
	memberId: string;
	memberToken: string;
	/** One who is banned. */
	bannedId: string;
	/** An administrator's browser, while it impersonates the user. */
	mask: string;
}

type Member = { userId: string };

/** Names A's user where the plugin takes one of its tenant. */
const naming = (
	path: string,
	own: Outcome<Staff>,
	body: (member: Member) => object = (member) => member,
): Attempt<Staff> => ({
	tries: "names A's user",
	call: ({ a }) => ({ path, body: body({ userId: a.memberId }) }),
	by: "user",
	gets: refused(404, "USER_NOT_FOUND"),
	own,
});

const aboutMember = answers<Staff>(({ a }) => ({
	user: expect.objectContaining({ id: a.memberId }),
}));
const success = answers<Staff>(() => ({ success: true }));

const listed = (ids: string[]) => ({
	users: expect.toSatisfy(
		(users: { id: string }[]) => JSON.stringify(users.map(({ id }) => id)) === JSON.stringify(ids),
	),
	total: ids.length,
});

/** The user of each side administers its tenant. */
export const adminMatrix: PluginMatrix<Staff> = {
	plugin: "admin",
	options: () => ({ plugins: [admin()] }),
	async make({ db, to, as }, { name, userId }) {
		await db.updateTable("user").set({ role: "admin" }).where("id", "=", userId).execute();
		const join = async (who: string) => {
			const body = {
				name: `${who} of ${name}`,
				email: `${who}@example.com`,
				password: "a password",
			};
			const { user, token } = (await to("/sign-up/email", { body })).body;
			return { userId: user.id as string, token: token as string };
		};
		const [member, banned] = [await join("member"), await join("banned")];
		await as("/admin/ban-user", { body: { userId: banned.userId } });
		const { cookie: mask } = await as("/admin/impersonate-user", {
			body: { userId: member.userId },
		});
		return { memberId: member.userId, memberToken: member.token, bannedId: banned.userId, mask };
	},
	rows: {
		setRole: [naming("/admin/set-role", aboutMember, (member) => ({ ...member, role: "admin" }))],
		getUser: [
			{
				tries: "names A's user",
				call: ({ a }) => ({ path: "/admin/get-user", query: { id: a.memberId } }),
				by: "user",
				gets: refused(404, "USER_NOT_FOUND"),
				own: ({ body }, { a }) => expect(body.id).toBe(a.memberId),
			},
		],
		createUser: [
			{
				tries: "makes one of an address that A has too, for A",
				call: ({ a }) => ({
					path: "/admin/create-user",
					body: {
						email: "new@example.com",
						name: "New",
						data: { tenantId: a.tenantId },
					},
				}),
				by: "user",
				gets: ({ body }, { b }) => expect(body.user.tenantId).toBe(b.tenantId),
				own: ({ body }, { a }) => expect(body.user.tenantId).toBe(a.tenantId),
			},
			{
				tries: "makes one with the id of A's",
				call: ({ a }) => ({
					path: "/admin/create-user",
					body: { email: "new@example.com", name: "New", data: { id: a.memberId } },
				}),
				by: "user",
				gets: refused(422),
				own: refused(422),
			},
		],
		adminUpdateUser: [
			naming(
				"/admin/update-user",
				({ body }, { a }) => expect(body).toMatchObject({ id: a.memberId, name: "Taken over" }),
				(member) => ({ ...member, data: { name: "Taken over" } }),
			),
		],
		listUsers: [
			{
				tries: "lists",
				call: () => ({ path: "/admin/list-users", query: { sortBy: "createdAt" } }),
				by: "user",
				gets: answers(({ b }) =>
					expect.objectContaining(listed([b.userId, b.memberId, b.bannedId])),
				),
				own: answers(({ a }) =>
					expect.objectContaining(listed([a.userId, a.memberId, a.bannedId])),
				),
			},
			{
				tries: "looks for A's user",
				call: ({ a }) => ({
					path: "/admin/list-users",
					query: { filterField: "id", filterValue: a.memberId },
				}),
				by: "user",
				gets: answers(() => expect.objectContaining(listed([]))),
				own: answers(({ a }) => expect.objectContaining(listed([a.memberId]))),
			},
		],
		listUserSessions: [
			{
				tries: "names A's user",
				call: ({ a }) => ({ path: "/admin/list-user-sessions", body: { userId: a.memberId } }),
				by: "user",
				gets: answers(() => ({ sessions: [] })),
				own: ({ body }, { a }) => expect(JSON.stringify(body.sessions)).toContain(a.memberToken),
			},
		],
		unbanUser: [
			{
				...naming("/admin/unban-user", answers()),
				call: ({ a }) => ({ path: "/admin/unban-user", body: { userId: a.bannedId } }),
				own: ({ body }, { a }) =>
					expect(body.user).toMatchObject({ id: a.bannedId, banned: false }),
			},
		],
		banUser: [naming("/admin/ban-user", aboutMember)],
		impersonateUser: [
			naming("/admin/impersonate-user", ({ body }, { a }) => expect(body.user.id).toBe(a.memberId)),
		],
		stopImpersonating: [
			{
				tries: "takes A's mask off",
				call: ({ a }) => ({ path: "/admin/stop-impersonating", method: "POST", cookie: a.mask }),
				by: "holder",
				// With a session of its own beside it there would be two of one name.
				ways: ["with no session and its own name"],
				gets: refused(401),
				own: ({ body }, { a }) => expect(body.user.id).toBe(a.userId),
				signedOut: true,
			},
		],
		revokeUserSession: [
			{
				tries: "ends the session of A's user",
				call: ({ a }) => ({
					path: "/admin/revoke-user-session",
					body: { sessionToken: a.memberToken },
				}),
				by: "user",
				gets: success,
				own: success,
			},
		],
		revokeUserSessions: [
			{
				tries: "ends the sessions of A's user",
				call: ({ a }) => ({ path: "/admin/revoke-user-sessions", body: { userId: a.memberId } }),
				by: "user",
				gets: success,
				own: success,
			},
		],
		removeUser: [naming("/admin/remove-user", success)],
		setUserPassword: [
			naming(
				"/admin/set-user-password",
				answers(() => ({ status: true })),
				(member) => ({ ...member, newPassword: "taken over by b" }),
			),
		],
		userHasPermission: [
			{
				tries: "asks about A's administrator",
				call: ({ a }) => ({
					path: "/admin/has-permission",
					body: { userId: a.userId, permissions: { user: ["list"] } },
				}),
				by: "user",
				// The plugin answers for the caller's own role, whoever is named.
				gets: answers(() => ({ success: true, error: null })),
				own: answers(() => ({ success: true, error: null })),
			},
			{
				tries: "asks on the server about A's administrator",
				call: ({ a }) => ({
					path: "userHasPermission",
					body: { userId: a.userId, permissions: { user: ["list"] } },
					onServer: true,
				}),
				by: "user",
				gets: answers(() => ({ success: true, error: null })),
				own: answers(() => ({ success: true, error: null })),
			},
		],
	},
};
