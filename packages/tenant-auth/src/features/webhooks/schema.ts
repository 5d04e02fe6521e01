import type { BetterAuthPluginDBSchema } from "@better-auth/core/db";
import { ofTenant, optionalText, renamed, type SchemaNames, text, timestamp } from "../../columns";

const createSchema = () =>
	({
		tenantWebhook: {
			fields: {
				tenantId: { ...ofTenant },
				url: { ...text },
				description: { ...optionalText },
				/** A JSON array as text. */
				eventTypes: { ...text },
				enabled: { type: "boolean", required: true, defaultValue: true },
				/** Encrypted. */
				secret: { ...text, returned: false },
				/** The secret before the last rotation. It also signs until `previousUntil`. */
				previousSecret: { ...optionalText, returned: false },
				previousUntil: { type: "date", required: false },
				/** Failed attempts since the last one that succeeded. */
				failures: { type: "number", required: true, defaultValue: 0 },
				/** When it was disabled because it kept failing. */
				disabledAt: { type: "date", required: false },
				createdAt: { ...timestamp },
				updatedAt: { ...timestamp },
			},
			indexes: [{ fields: ["tenantId", "createdAt"] }],
		},
		/** The outbox: events for webhooks, written with the change that they are about. */
		tenantWebhookDelivery: {
			fields: {
				tenantId: { ...ofTenant },
				webhookId: { ...text },
				eventId: { ...text },
				eventType: { ...text },
				/** The JSON that is sent. */
				payload: { ...text },
				/** `pending`, `delivered` or `failed` */
				state: { ...text },
				attempts: { type: "number", required: true, defaultValue: 0 },
				/** When a pending delivery is due. */
				nextAttemptAt: { ...timestamp },
				/** The status of the last response. */
				responseStatus: { type: "number", required: false },
				error: { ...optionalText },
				createdAt: { ...timestamp },
				finishedAt: { type: "date", required: false },
			},
			indexes: [
				{ fields: ["state", "nextAttemptAt"] },
				{ fields: ["tenantId", "createdAt"] },
				{ fields: ["webhookId", "createdAt"] },
			],
		},
	}) satisfies BetterAuthPluginDBSchema;

type WebhookSchema = ReturnType<typeof createSchema>;

/** Other names for the tables and fields of webhooks in the database. */
export type TenantWebhooksSchemaNames = SchemaNames<WebhookSchema>;

/** Each instance has its own copy. */
export const webhookSchema = (names?: TenantWebhooksSchemaNames): WebhookSchema =>
	renamed("tenantWebhooks", createSchema(), names);
