import * as z from "zod";
import { textOrNull, texts } from "../../described";
import { findSignedInMember } from "../../management/access/authorize";
import { actionsOfRole, reachableRoles } from "../../management/access/roles";
import type { ManagementAction } from "../../routes";
import { publicEndpoint, tenantQuery } from "./define";
import { requireSignedIn, SIGNED_IN_ERRORS } from "./signed-in";

const response = z.object({
	role: textOrNull("The role; null if the session manages nothing, also if its user does"),
	actions: z.array(z.custom<ManagementAction>()).meta({ description: "What the role permits" }),
	roles: texts("The roles that the user may give, and whose users they may change"),
});

/** What a signed-in user may manage in their own tenant. */
export type TenantPermissions = z.output<typeof response>;

const NONE: TenantPermissions = { role: null, actions: [], roles: [] };

/** For a page of administrators: it shows only what the endpoints permit. */
export const tenantPermissions = publicEndpoint(
	"tenantPermissions",
	{
		description: "What the signed-in user may manage in their own tenant, by their role",
		query: tenantQuery,
		response,
		errors: SIGNED_IN_ERRORS,
	},
	async (ctx, options) => {
		const { user } = await requireSignedIn(ctx, options);
		// As the endpoints see the caller: no impersonated session, and no session of an API key.
		const member = await findSignedInMember(ctx);
		if (member?.userId !== user.id) return ctx.json(NONE);
		const { role } = member;
		const actions = actionsOfRole(options, role);
		return ctx.json({
			role,
			actions,
			roles: actions.length > 0 ? reachableRoles(options, role) : [],
		});
	},
);
