import { defineRequestState } from "@better-auth/core/context";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { SIGN_UP_ANSWERS } from "../openid-provider/user-metadata/user-metadata";
import { type Answers, requireAnswers, requireOnlyAnswers } from "./answers";
import { signUpFieldEndpoints } from "./endpoints";
import { findSignUpFields, signUpFieldsSchema } from "./store";

/** Better Auth's own path. `/tenant/sign-up/email` runs it too. */
const SIGN_UP = "/sign-up/email";

/** Checked before the sign-up, and written with the user. */
const checkedAnswers = defineRequestState<Answers>(() => ({}));

const storeAnswers: NonNullable<BetterAuthOptions["databaseHooks"]> = {
	user: {
		create: {
			before: async (_, ctx) => {
				if (ctx?.path !== SIGN_UP) return;
				const answers = await checkedAnswers.get();
				if (Object.keys(answers).length === 0) return;
				return { data: { metadata: JSON.stringify({ [SIGN_UP_ANSWERS]: answers }) } };
			},
		},
	},
};

/**
 * Fields that a tenant adds to its form for a new account. Only the form with a password asks: users who
 * come through a provider, a directory or an import have not seen it, so a required field never locks them
 * out.
 */
export const tenantSignUpFields = {
	id: "tenant-auth-sign-up-fields",
	schema: signUpFieldsSchema,
	endpoints: signUpFieldEndpoints,
	init: () => ({ options: { databaseHooks: storeAnswers } }),
	hooks: {
		before: [
			{
				matcher: ({ path }) => path === SIGN_UP,
				handler: createAuthMiddleware(async (ctx) => {
					const tenantId = await getCurrentTenantId();
					if (tenantId === null) return;
					// Before Better Auth looks for the email: the response must not depend on it.
					const given = requireOnlyAnswers(ctx.body?.metadata);
					const fields = await findSignUpFields(ctx.context, tenantId);
					await checkedAnswers.set(requireAnswers(fields, given));
					// Nobody can write the metadata itself: Better Auth refuses any other value than an empty one.
					if (ctx.body?.metadata) return { context: { body: { metadata: "" } } };
				}),
			},
		],
	},
} satisfies BetterAuthPlugin;
