import type { GenericEndpointContext } from "@better-auth/core";
import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import * as z from "zod";
import { flag } from "../../described";
import { requireAppToVerify, requireGrantable } from "../../management/access/acting-member";
import { requireReachableUser } from "../../management/access/reachable-user";
import { idSchema } from "../../management/tenants/tenant";
import {
	createUser,
	disableUser,
	enableUser,
	updateUser,
} from "../../management/users/managed-users";
import { removePasskeys } from "../../management/users/passkeys";
import { removeSecondFactor } from "../../management/users/second-factor";
import { parseAdditionalFields } from "./additional-user-fields";
import { managedTenantEndpoint, managedUserEndpoint, tenantBody, userBody } from "./define";
import { userOutput, userResponse } from "./sign-in/session-response";
import { requireKnownUserFields } from "./strict-schemas";
import { userFields } from "./user-fields";

const role = z
	.string()
	.min(1)
	.max(64)
	.meta({ description: "owner, admin, member, or a role of your app; default member" });

const emailVerified = flag("Whether the user has proved to own the email; default false");

const fields = tenantBody.extend({
	email: userFields.email,
	name: userFields.givenName,
	password: userFields.password
		.meta({ description: "Without one, the user gets in by a reset link or a social account" })
		.optional(),
	emailVerified: emailVerified.optional(),
	image: userFields.image.optional(),
	role: role.optional(),
});

export const createTenantUser = managedTenantEndpoint(
	"createTenantUser",
	{
		description: "Create a user of a tenant, whatever the tenant's rules for sign-up are",
		// The app's additional user fields come in the same body.
		body: fields.loose(),
		response: userResponse,
		errors: [
			"ROLE_NOT_FOUND",
			"ROLE_NOT_ALLOWED",
			"TENANT_SUSPENDED",
			"PASSWORD_TOO_SHORT",
			"PASSWORD_TOO_LONG",
			"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			"USER_NOT_SAVED",
			"PASSWORD_QUEUE_FULL",
		],
		// With a type that allows any field, the typed client could not check any.
		metadata: { $Infer: { body: {} as z.input<typeof fields> } },
	},
	async (ctx, tenant, options) => {
		requireKnownUserFields(ctx, fields);
		const { tenantId: _, email, name, password, role, image, ...rest } = ctx.body;
		const { emailVerified = false, ...additional } = rest;
		requireAppToVerify(emailVerified);
		if (role !== undefined) requireGrantable(options, role);
		if (password !== undefined) requirePasswordLength(ctx, password);
		const user = await createUser(
			ctx,
			tenant,
			{
				...parseAdditionalFields(ctx.context, additional),
				email: email.toLowerCase(),
				name,
				emailVerified,
				...(image === undefined ? {} : { image }),
				...(role === undefined ? {} : { tenantRole: role }),
			},
			password,
		);
		return ctx.json(userOutput(ctx.context, user));
	},
);

/** As core checks it at sign-up. */
function requirePasswordLength({ context }: GenericEndpointContext, password: string): void {
	const { minPasswordLength, maxPasswordLength } = context.password.config;
	if (password.length < minPasswordLength) {
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.PASSWORD_TOO_SHORT);
	}
	if (password.length > maxPasswordLength) {
		throw APIError.from("BAD_REQUEST", BASE_ERROR_CODES.PASSWORD_TOO_LONG);
	}
}

export const updateTenantUser = managedTenantEndpoint(
	"updateTenantUser",
	{
		description: "Update a user of a tenant; what is left out stays",
		body: userBody.extend({
			name: userFields.givenName.optional(),
			image: userFields.image
				.nullable()
				.meta({ description: "The URL of a profile image; null removes it" })
				.optional(),
			email: userFields.email
				.meta({ description: "A new email is not verified, unless emailVerified is sent" })
				.optional(),
			emailVerified: emailVerified.optional(),
			role: role.meta({ description: "owner, admin, member, or a role of your app" }).optional(),
		}),
		response: userResponse,
		errors: [
			"USER_NOT_FOUND",
			"ROLE_NOT_FOUND",
			"ROLE_NOT_ALLOWED",
			"LAST_OWNER",
			"USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL",
			"USER_NOT_SAVED",
		],
	},
	async (ctx, tenant, options) => {
		const { tenantId: _, userId, role, email, ...changes } = ctx.body;
		requireAppToVerify(changes.emailVerified);
		if (role !== undefined) requireGrantable(options, role);
		const user = await requireReachableUser(ctx, tenant, options, userId);
		const changed = await updateUser(ctx, tenant, user, {
			...changes,
			...(email === undefined ? {} : { email: email.toLowerCase() }),
			...(role === undefined ? {} : { tenantRole: role }),
		});
		return ctx.json(userOutput(ctx.context, changed));
	},
);

export const disableTenantUser = managedUserEndpoint(
	"disableTenantUser",
	{
		description: "Disable a user of a tenant: all sessions end, and the user cannot sign in",
		body: userBody,
		response: userResponse,
		errors: ["LAST_OWNER", "USER_NOT_SAVED", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, user) =>
		ctx.json(userOutput(ctx.context, await disableUser(ctx, tenant, user))),
);

export const enableTenantUser = managedUserEndpoint(
	"enableTenantUser",
	{
		description: "Enable a disabled user of a tenant: the user can sign in again",
		body: userBody,
		response: userResponse,
	},
	async (ctx, tenant, user) =>
		ctx.json(userOutput(ctx.context, await enableUser(ctx, tenant, user))),
);

export const removeTenantSecondFactor = managedUserEndpoint(
	"removeTenantSecondFactor",
	{
		description:
			"Remove the second factor of a user who has lost it: all sessions end, and the password is enough to sign in",
		body: userBody,
		response: userResponse,
		errors: ["USER_NOT_SAVED", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, user) =>
		ctx.json(userOutput(ctx.context, await removeSecondFactor(ctx, tenant, user))),
);

export const removeTenantPasskeys = managedUserEndpoint(
	"removeTenantPasskeys",
	{
		description: "Remove passkeys of a user who has lost them: all sessions end",
		body: userBody.extend({
			passkeyId: idSchema.meta({ description: "Only this passkey; default all" }).optional(),
		}),
		response: z.object({
			removed: z.number().meta({ description: "How many passkeys were removed" }),
		}),
		errors: ["PASSKEY_NOT_FOUND", "USER_NOT_SAVED", "STORAGE_UNAVAILABLE"],
	},
	async (ctx, tenant, user) =>
		ctx.json({ removed: await removePasskeys(ctx, tenant, user, ctx.body.passkeyId) }),
);
