import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { ofTenant, optionalText, renamed, type SchemaNames, text, timestamp } from "../../columns";

const createSchema = () =>
	({
		/** The sign-in log. */
		tenantSignIn: {
			fields: {
				tenantId: { ...ofTenant },
				createdAt: { ...timestamp },
				/**
				 * When it is deleted. Not by an index of `createdAt`: PostgreSQL would use that for the list of
				 * a tenant, and read the rows of all others.
				 */
				expiresAt: { type: "date", required: true, index: true },
				/** The user who signed in, or as whom somebody tried to. */
				userId: { ...optionalText },
				/** A keyed digest of the email that was entered. People also enter passwords there. */
				emailDigest: { ...optionalText, returned: false },
				method: { ...optionalText },
				providerId: { ...optionalText },
				/** `succeeded`, `challenged` or `failed` */
				result: { ...text },
				reason: { ...optionalText },
				ipAddress: { ...optionalText },
				userAgent: { ...optionalText },
				/** How many sign-ins the row stands for. More than one if there were too many to store. */
				attempts: { type: "number", required: true, defaultValue: 1 },
			},
			indexes: [
				{ fields: ["tenantId", "createdAt"] },
				{ fields: ["tenantId", "userId", "createdAt"] },
				{ fields: ["tenantId", "emailDigest", "createdAt"] },
			],
		},
	}) satisfies BetterAuthPluginDBSchema;

type SignInSchema = ReturnType<typeof createSchema>;

/** Other names for the table and the columns of the sign-in log. */
export type TenantSignInsSchemaNames = SchemaNames<SignInSchema>;

/** Each instance has its own copy. */
export const signInLogSchema = (names?: TenantSignInsSchemaNames): SignInSchema =>
	renamed("tenantSignIns", createSchema(), names);
