import { parseUserOutput } from "better-auth/db";
import * as z from "zod";
import { idSchema, namedTenantSchema } from "../../tenants/tenant";
import { tenantSessionSchema, toTenantSession } from "../../users/session-store";
import { listAccounts, listSessionsOf, requireUser } from "../../users/store";
import { managedTenantEndpoint } from "../define";
import { userAnswer } from "../sign-in/session-answer";

const accountAnswer = z.object({
	id: z.string().meta({ description: "Unique id" }),
	providerId: z.string().meta({ description: "The provider, or credential for a password" }),
	accountId: z.string().meta({ description: "The user's id at the provider" }),
	createdAt: z.date().meta({ description: "When the account was created" }),
});

export const getTenantUser = managedTenantEndpoint(
	"getTenantUser",
	{
		description: "Get a user of a tenant with accounts and sessions",
		query: z.object({
			tenantId: namedTenantSchema,
			userId: idSchema.meta({ description: "The user" }),
		}),
		answer: z.object({
			user: userAnswer,
			accounts: z.array(accountAnswer),
			sessions: z.array(tenantSessionSchema),
		}),
		errors: ["USER_NOT_FOUND"],
	},
	async (ctx, tenant) => {
		const user = await requireUser(ctx, tenant, ctx.query.userId);
		const accounts = await listAccounts(ctx.context, tenant, user.id);
		const sessions = await listSessionsOf(ctx.context, tenant, user.id);
		return ctx.json({
			user: parseUserOutput(ctx.context.options, user),
			accounts: accounts.map(({ id, providerId, accountId, createdAt }) => ({
				id,
				providerId,
				accountId,
				createdAt,
			})),
			sessions: sessions.map((session) => toTenantSession(session, user)),
		});
	},
);
