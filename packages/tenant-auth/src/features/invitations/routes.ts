import type { Route } from "../../routes";

/** The endpoints of invitations. The client loads this file. */
export const INVITATION_ROUTES = {
	createTenantInvitation: {
		method: "POST",
		path: "/tenant/invitation/create",
		action: "invitation:create",
	},
	listTenantInvitations: {
		method: "GET",
		path: "/tenant/invitation/list",
		action: "invitation:list",
	},
	resendTenantInvitation: {
		method: "POST",
		path: "/tenant/invitation/resend",
		action: "invitation:resend",
	},
	revokeTenantInvitation: {
		method: "POST",
		path: "/tenant/invitation/revoke",
		action: "invitation:revoke",
	},
	getTenantInvitation: { method: "GET", path: "/tenant/invitation/get" },
	acceptTenantInvitation: {
		method: "POST",
		path: "/tenant/invitation/accept",
		createsSession: true,
	},
} as const satisfies Record<string, Route>;
