// Who may manage a tenant: keys, server code, roles and owners.

const source = "packages/tenant-auth/src";
const tests = "packages/tenant-auth/test";

/** @type {readonly import("./index.mjs").Mutation[]} */
export const MANAGEMENT = [
	{
		name: "a wrong management key manages nothing",
		file: `${source}/management/authorize.ts`,
		find: "return found ? wanted.slice(0, FINGERPRINT_LENGTH) : null;",
		replace: "return wanted.slice(0, FINGERPRINT_LENGTH);",
		caughtBy: `${tests}/management/management.test.ts`,
	},
	{
		name: "only a call without a request and headers is trusted server code",
		file: `${source}/management/authorize.ts`,
		find: "return !ctx.request && !ctx.headers;",
		replace: "return !ctx.request;",
		caughtBy: `${tests}/management/management.test.ts`,
	},
	{
		name: "a role is valid in its own tenant only",
		file: `${source}/management/authorize.ts`,
		find: "if (member && managed === member.tenantId) return member;",
		replace: "if (member && managed) return { ...member, tenantId: managed };",
		caughtBy: `${tests}/management/manage-tenant.test.ts`,
	},
	{
		name: "an impersonated session manages nothing",
		file: `${source}/management/authorize.ts`,
		find: "tenantId === PLATFORM_ID || findAnyImpersonator(found.session)) return null;",
		replace: "tenantId === PLATFORM_ID) return null;",
		caughtBy: `${tests}/endpoints/permissions.test.ts`,
	},
	{
		name: "only the app does what is for the app alone",
		file: `${source}/management/authorize.ts`,
		find: `["server", "key", "administrator"].includes`,
		replace: `["server", "key", "administrator", "member", "host"].includes`,
		caughtBy: `${tests}/invitations/sign-in-link.test.ts`,
	},
	{
		name: "an admin does not reach an owner",
		file: `${source}/management/roles.ts`,
		find: "if (other === OWNER) return false;",
		replace: "",
		caughtBy: `${tests}/management/escalation.test.ts`,
	},
	{
		name: "nobody gives a role that permits more than their own",
		file: `${source}/management/acting-member.ts`,
		find: `if (member && !reaches(roles, member.role, role)) throw tenantError("ROLE_NOT_ALLOWED");`,
		replace: "",
		caughtBy: `${tests}/management/escalation.test.ts`,
	},
	{
		name: "a tenant cannot declare an email verified",
		file: `${source}/management/acting-member.ts`,
		find: "if (!emailVerified || !findActingMember()) return;",
		replace: "if (!emailVerified || findActingMember) return;",
		caughtBy: `${tests}/management/escalation.test.ts`,
	},
	{
		name: "only an owner verifies a login domain",
		file: `${source}/domains/store.ts`,
		find: `if (row.purpose === "login") requireOwner();\n\tconst records`,
		replace: "const records",
		caughtBy: `${tests}/management/escalation.test.ts`,
	},
	{
		name: "the last owner of a tenant stays",
		file: `${source}/users/owners.ts`,
		find: `throw tenantError("LAST_OWNER");`,
		replace: "",
		caughtBy: `${tests}/users/last-owner.test.ts`,
	},
	{
		name: "other plugins do not write the role of a user",
		file: `${source}/users/update-user.ts`,
		find: "if (!found || isByManagement()) return;",
		replace: "if (!found || isByManagement) return;",
		caughtBy: `${tests}/users/last-owner.test.ts`,
	},
	{
		name: "a sign-in link is for an active owner only",
		file: `${source}/endpoints/sign-in/link.ts`,
		find: "if (!link || !user || !tenantId || !isActiveOwner(user)) return fail(ctx);",
		replace: "if (!link || !user || !tenantId || !isActiveOwner) return fail(ctx);",
		caughtBy: `${tests}/invitations/sign-in-link.test.ts`,
	},
	{
		name: "a field that an endpoint does not have is rejected",
		file: `${source}/endpoints/strict-body.ts`,
		find: "catchall = allowsOthers ? undefined : z.never()",
		replace: "catchall = undefined",
		caughtBy: `${tests}/endpoints/unknown-fields.test.ts`,
	},
	{
		name: "a slug that nobody has does not mean the caller's own tenant",
		file: `${source}/endpoints/tenants.ts`,
		find: "(ctx) => !namesSlug(ctx),",
		replace: "() => true,",
		caughtBy: `${tests}/management/own-tenant.test.ts`,
	},
	{
		name: "a call without a tenant means all tenants only for those who manage them",
		file: `${source}/endpoints/define.ts`,
		find: "const tenantId = (await requireManagement(ctx, options, request, rules)) as TenantId;",
		replace: "await requireManagement(ctx, options, request, rules); const tenantId = named;",
		caughtBy: `${tests}/management/own-tenant.test.ts`,
	},
];
