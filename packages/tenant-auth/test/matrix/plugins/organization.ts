import type { BetterAuthPlugin } from "better-auth";
import { createAccessControl, organization } from "better-auth/plugins";
import { defaultRoles, defaultStatements } from "better-auth/plugins/organization/access";
import type { PluginMatrix } from "./matrix";
import { type Guild, makeGuild } from "./organization/guild";
import { invitationRows } from "./organization/invitations";
import { memberRows } from "./organization/members";
import { organizationRows } from "./organization/organizations";
import { roleRows } from "./organization/roles";
import { teamRows } from "./organization/teams";

export const organizationMatrix: PluginMatrix<Guild> = {
	plugin: "organization",
	options: ({ send }) => ({
		plugins: [
			organization({
				ac: createAccessControl(defaultStatements),
				roles: defaultRoles,
				teams: { enabled: true },
				dynamicAccessControl: { enabled: true },
				sendInvitationEmail: send,
			}) as unknown as BetterAuthPlugin,
		],
	}),
	make: makeGuild,
	rows: { ...organizationRows, ...memberRows, ...invitationRows, ...teamRows, ...roleRows },
};
