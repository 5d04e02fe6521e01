import type { ForeignPlugin } from "./foreign-plugin";

export const organization: ForeignPlugin = {
	id: "organization",
	ownerTables: ["organization"],
	activeFields: { activeOrganizationId: "organization", activeTeamId: "team" },
	impersonationPaths: [
		"/organization/get-active-member",
		"/organization/get-active-member-role",
		"/organization/get-full-organization",
		"/organization/get-invitation",
		"/organization/get-organization",
		"/organization/get-role",
		"/organization/has-permission",
		"/organization/list",
		"/organization/list-invitations",
		"/organization/list-members",
		"/organization/list-roles",
		"/organization/list-team-members",
		"/organization/list-teams",
		"/organization/list-user-invitations",
		"/organization/list-user-teams",
		"/organization/set-active",
		"/organization/set-active-team",
	],
};
