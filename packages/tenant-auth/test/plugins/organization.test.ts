import { createAccessControl, organization } from "better-auth/plugins";
import { defaultRoles, defaultStatements } from "better-auth/plugins/organization/access";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { idKinds } from "../support/worlds/id-kinds";
import { type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** A part of all names in B. */
const SECRET = "of-b-alone";

const TABLES = ["organization", "member", "invitation", "team", "teamMember", "organizationRole"];

async function setUp(options: InstanceOptions = {}) {
	const mails: { tenantId: string | null; id: string; email: string }[] = [];
	const ac = createAccessControl(defaultStatements);
	const plugin = organization({
		ac,
		roles: defaultRoles,
		teams: { enabled: true },
		dynamicAccessControl: { enabled: true },
		sendInvitationEmail: async ({ id, email }) => {
			mails.push({ tenantId: await getCurrentTenantId(), id, email });
		},
	});
	const app = await makeTwoUsers({ ...options, plugins: [plugin] });
	const { call, db } = app;
	/** With a verified email, which the plugin requires if ids can be guessed. */
	async function signUp(tenantId: string, email: string) {
		const answer = await app.signUp(tenantId, email, PASSWORD);
		await db.updateTable("user").set({ emailVerified: 1 }).where("email", "=", email).execute();
		return answer;
	}
	const as = (cookie: string, path: string, body?: object, tenant?: string) =>
		call(`/organization${path}`, {
			cookie,
			...(body ? { body } : {}),
			...(tenant ? { tenant } : {}),
		});

	/** An organization with rows in each table. Only the names differ between tenants. */
	async function populate(tenantId: string, cookie: string, name: string) {
		const friend = await signUp(tenantId, "friend@example.com");
		const org = (await as(cookie, "/create", { name, slug: "acme", metadata: { name } })).body;
		const organizationId = org.id as string;
		await as(cookie, "/set-active", { organizationId });
		const invite = async (email: string) =>
			(await as(cookie, "/invite-member", { email, role: "member", organizationId })).body;
		const { id: accepted } = await invite("friend@example.com");
		const joined = await as(friend.cookie, "/accept-invitation", { invitationId: accepted });
		const { id: invitationId } = await invite("later@example.com");
		const team = (await as(cookie, "/create-team", { name, organizationId })).body;
		const userId = friend.body.user.id as string;
		await as(cookie, "/add-team-member", { teamId: team.id, userId, organizationId });
		const role = { role: name.toLowerCase(), permission: { member: ["create"] }, organizationId };
		const made = await as(cookie, "/create-role", role);
		return {
			organizationId,
			invitationId: String(invitationId),
			teamId: String(team.id),
			memberId: String(joined.body.member.id),
			userId,
			roleId: String(made.body.roleData.id),
			roleName: role.role,
			friend,
		};
	}
	const mine = await populate(app.a, app.ada.cookie, "of-a");
	const theirs = await populate(app.b, app.bob.cookie, SECRET);
	const dump = async () =>
		JSON.stringify(
			await Promise.all(TABLES.map((table) => db.selectFrom(table).selectAll().execute())),
		);
	return { ...app, signUp, as, mine, theirs, mails, dump };
}

describe.each(combine(idKinds, orders))("organizations with %s", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("may have the same slug in two tenants, and have their own members", async () => {
		const { as, ada, bob, a, b, mine, theirs, mails, sessionOf } = world();
		expect(mine.organizationId).not.toBe(theirs.organizationId);
		for (const [cookie, own, tenantId, userId] of [
			[ada.cookie, mine, a, ada.body.user.id],
			[bob.cookie, theirs, b, bob.body.user.id],
		] as const) {
			const bySlug = await as(cookie, "/get-full-organization?organizationSlug=acme");
			expect(bySlug.body).toMatchObject({ id: own.organizationId, slug: "acme" });
			const people = bySlug.body.members.map((it: { userId: string }) => String(it.userId));
			expect(people.sort()).toEqual([String(userId), String(own.userId)].sort());
			const list = (await as(cookie, "/list")).body;
			expect(list.map(({ id }: { id: string }) => id)).toEqual([own.organizationId]);
			expect((await as(cookie, "/list-members")).body.total).toBe(2);
			const teams = (await as(cookie, "/list-teams")).body;
			expect(teams.map(({ id }: { id: string }) => id)).toContain(own.teamId);
			const active = (await sessionOf(cookie)).session.activeOrganizationId;
			expect(String(active)).toBe(own.organizationId);
			expect(mails.filter((mail) => mail.tenantId === tenantId).map(({ email }) => email)).toEqual([
				"friend@example.com",
				"later@example.com",
			]);
			expect((await as(cookie, "/check-slug", { slug: "acme" })).status).toBe(400);
			expect((await as(cookie, "/create", { name: "Again", slug: "acme" })).status).toBe(400);
		}
	});

	it("are neither shown nor changed for ids of another tenant", async () => {
		const { as, ada, b, mine, theirs, dump } = world();
		const before = await dump();
		const { organizationId, invitationId, teamId, memberId, userId, roleId, roleName } = theirs;
		const own = { organizationId: mine.organizationId };
		const gets = [
			`/get-organization?organizationId=${organizationId}`,
			`/get-full-organization?organizationId=${organizationId}`,
			`/list-members?organizationId=${organizationId}`,
			`/list-invitations?organizationId=${organizationId}`,
			`/get-invitation?id=${invitationId}`,
			`/list-teams?organizationId=${organizationId}`,
			`/list-team-members?teamId=${teamId}`,
			`/list-user-teams?userId=${userId}&organizationId=${organizationId}`,
			`/list-user-teams?userId=${userId}&organizationId=${mine.organizationId}`,
			`/get-active-member-role?userId=${userId}&organizationId=${organizationId}`,
			`/get-active-member-role?userId=${userId}`,
			`/list-roles?organizationId=${organizationId}`,
			`/get-role?roleId=${roleId}&organizationId=${organizationId}`,
			`/get-role?roleId=${roleId}`,
		];
		const posts: [string, object][] = [
			["/set-active", { organizationId }],
			["/update", { organizationId, data: { name: "taken" } }],
			["/delete", { organizationId }],
			["/leave", { organizationId }],
			["/invite-member", { organizationId, email: "spy@example.com", role: "owner" }],
			["/invite-member", { ...own, email: "spy@example.com", role: "member", teamId }],
			["/accept-invitation", { invitationId }],
			["/reject-invitation", { invitationId }],
			["/cancel-invitation", { invitationId }],
			["/remove-member", { memberIdOrEmail: memberId, organizationId }],
			["/remove-member", { memberIdOrEmail: memberId, ...own }],
			["/update-member-role", { memberId, role: "owner", organizationId }],
			["/update-member-role", { memberId, role: "owner", ...own }],
			["/create-team", { name: "spies", organizationId }],
			["/update-team", { teamId, data: { name: "taken", organizationId } }],
			["/update-team", { teamId, data: { name: "taken" } }],
			["/remove-team", { teamId, organizationId }],
			["/remove-team", { teamId, ...own }],
			["/set-active-team", { teamId }],
			["/add-team-member", { teamId, userId, organizationId }],
			["/add-team-member", { teamId, userId: ada.body.user.id, ...own }],
			["/add-team-member", { teamId: mine.teamId, userId, ...own }],
			["/remove-team-member", { teamId, userId, organizationId }],
			["/create-role", { role: "spy", permission: {}, organizationId }],
			["/update-role", { roleId, organizationId, data: { roleName: "taken" } }],
			["/update-role", { roleName, ...own, data: { roleName: "taken" } }],
			["/delete-role", { roleId, organizationId }],
			["/delete-role", { roleId, ...own }],
		];
		const attempts = [...gets.map((path) => [path, undefined] as const), ...posts];
		for (const tenant of [undefined, b]) {
			for (const [path, body] of notEmpty(attempts)) {
				const { status, body: answer } = await as(ada.cookie, path, body, tenant);
				const text = JSON.stringify(answer) ?? "";
				expect([path, status >= 400 || text === "null" || text === "[]"]).toEqual([path, true]);
				expect([path, text.includes(SECRET)]).toEqual([path, false]);
				if (tenant === b) expect([path, status]).toEqual([path, status === 400 ? 400 : 401]);
			}
		}
		expect(await dump()).toBe(before);
	});

	it("are deleted with their tenant, and with no other", async () => {
		const { a, b, db, manage, as, bob } = world();
		await manage("/tenant/delete", { body: { tenantId: a } });
		for (const table of notEmpty(TABLES)) {
			const rows = await db.selectFrom(table).select("id").execute();
			const owners = await db
				.selectFrom("tenantRow")
				.select(["rowId", "tenantId"])
				.where("model", "=", table)
				.execute();
			expect(owners.map(({ rowId }) => String(rowId)).sort()).toEqual(
				rows.map(({ id }) => String(id)).sort(),
			);
			expect(owners.every(({ tenantId }) => String(tenantId) === String(b))).toBe(true);
			expect(rows.length).toBeGreaterThan(0);
		}
		expect((await as(bob.cookie, "/list-members")).body.total).toBe(2);
	});

	it("cannot be joined by the user of another tenant with the invited email", async () => {
		const { as, a, b, ada, mine, signUp } = world();
		const invited = { email: "both@example.com", role: "member" };
		const { id: invitationId } = (
			await as(ada.cookie, "/invite-member", { ...invited, organizationId: mine.organizationId })
		).body;
		const [inA, inB] = [await signUp(a, invited.email), await signUp(b, invited.email)];
		expect((await as(inB.cookie, `/get-invitation?id=${invitationId}`)).status).toBe(400);
		expect((await as(inB.cookie, "/list-user-invitations")).body).toEqual([]);
		expect((await as(inB.cookie, "/accept-invitation", { invitationId })).status).toBe(400);
		expect((await as(inA.cookie, "/list-user-invitations")).body).toHaveLength(1);
		expect((await as(inA.cookie, "/accept-invitation", { invitationId })).status).toBe(200);
	});
});
