import type { ForeignPlugin } from "./foreign-plugin";

export const admin: ForeignPlugin = {
	id: "admin",
	actsInTenants: true,
	paths: {
		"/admin/create-user": {
			hashMustRun: true,
			adminCreatesUser: true,
			signIn: "managed",
			newPassword: "password",
		},
		"/admin/set-user-password": { newPassword: "newPassword" },
		"/admin/remove-user": { deletesUser: true },
		"/admin/impersonate-user": { signIn: "managed" },
		"/admin/stop-impersonating": { endsImpersonation: true, signIn: "managed" },
		"/admin/get-user": { adminReads: true },
		"/admin/list-users": { adminReads: true },
		"/admin/list-user-sessions": { adminReads: true },
		"/admin/has-permission": { adminReads: true },
	},
};
