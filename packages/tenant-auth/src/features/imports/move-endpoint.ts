import * as z from "zod";
import { requireExisting } from "../../call/context/gate";
import { scopeOf } from "../../call/context/tenant";
import { requirePossibleId, requireSameHost } from "../../call/context/tenant-id";
import { flag } from "../../described";
import { type AuditEntry, recordAuditEvent } from "../../management/audit/audit-store";
import { requireTenant } from "../../management/tenants/store";
import { idSchema } from "../../management/tenants/tenant";
import { endpointsOf } from "../endpoints/define";
import { IMPORT_ERRORS } from "./error-codes";
import { moveUsersIn, moveUsersReportSchema } from "./move";
import { IMPORT_ROUTES } from "./routes";

const { managementEndpoint } = endpointsOf(IMPORT_ROUTES, IMPORT_ERRORS);

/** One transaction. */
const MAX_USERS = 1000;

export const moveTenantUsers = managementEndpoint(
	"moveTenantUsers",
	{
		description: "Move users of the platform into a tenant, with everything that belongs to them",
		body: z.object({
			tenantId: idSchema.meta({ description: "The tenant's id" }),
			userIds: z
				.array(idSchema)
				.min(1)
				.max(MAX_USERS)
				.meta({ description: `The users, at most ${MAX_USERS}` }),
			dryRun: flag("Only report what would happen; default false").optional(),
			onConflict: z
				.enum(["refuse", "skip"])
				.meta({
					description:
						"If some users cannot move: refuse (default) moves nobody, skip moves the others",
				})
				.optional(),
		}),
		response: moveUsersReportSchema,
		errors: [
			"TENANT_NOT_FOUND",
			"TENANT_SUSPENDED",
			"MOVE_REFUSED",
			"TRANSACTION_REQUIRED",
			"STORAGE_UNAVAILABLE",
		],
	},
	// Only for the app: a manager of that tenant alone must not take users of the platform.
	() => null,
	async (ctx, _, options) => {
		const { tenantId, userIds, dryRun: isDryRun = false, onConflict = "refuse" } = ctx.body;
		await requireSameHost(ctx, options, tenantId);
		const id = requirePossibleId(ctx, tenantId);
		const tenant = requireExisting(await requireTenant(ctx.context, "id", id));
		const record = (entry: AuditEntry) => recordAuditEvent(ctx, entry);
		const moving = { context: ctx.context, options, record };
		return ctx.json(await moveUsersIn(moving, scopeOf(tenant), userIds, { isDryRun, onConflict }));
	},
);
