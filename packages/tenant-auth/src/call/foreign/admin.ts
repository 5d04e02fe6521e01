import type { ForeignPlugin } from "./foreign-plugin";

export const admin = {
	id: "admin",
	actsInTenants: true,
	impersonatorField: "impersonatedBy",
	adminsOf: ({ adminUserIds = [], adminRoles = ["admin"] }) => ({
		adminUserIds: [adminUserIds].flat().map(String),
		adminRoles: [adminRoles].flat().map(String),
	}),
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
} satisfies ForeignPlugin;
