import { type ChangeFacts, defineTenantPlugin } from "../../call/port/tenant-plugin";
import { requireKnownOptions } from "../../known-options";
import { requireCount } from "../../options";
import { listTenantWebhookDeliveries, replayTenantWebhookDelivery } from "./delivery-endpoints";
import {
	createTenantWebhook,
	deleteTenantWebhook,
	listTenantWebhooks,
	rotateTenantWebhookSecret,
	testTenantWebhook,
	updateTenantWebhook,
} from "./endpoints";
import { TENANT_WEBHOOKS_ERROR_CODES } from "./error-codes";
import { WEBHOOK_EVENTS } from "./event-types";
import { outbox } from "./outbox";
import { pruneDeliveries } from "./retention";
import { type TenantWebhooksSchemaNames, webhookSchema } from "./schema";
import { WEBHOOK_SECRETS } from "./secrets";

declare module "@better-auth/core" {
	interface BetterAuthPluginRegistry<AuthOptions, Options> {
		"tenant-auth-webhooks": { creator: typeof tenantWebhooks };
	}
}

export interface TenantWebhooksOptions {
	/**
	 * Finished deliveries that are older are deleted by `cleanUp()`. They can be replayed until then.
	 *
	 * @default 30
	 */
	retentionDays?: number;
	/** Other names for the tables and columns. */
	schema?: TenantWebhooksSchemaNames;
}

const changed = (type: keyof typeof WEBHOOK_EVENTS) => ({
	grant: "owner" as const,
	event: ({ targetId }: ChangeFacts) => ({ type, data: { webhookId: targetId } }),
});

const WEBHOOK_ACTIONS = {
	"webhook:create": changed("webhook.created"),
	"webhook:list": "owner",
	"webhook:update": changed("webhook.updated"),
	"webhook:rotate-secret": changed("webhook.secret-rotated"),
	"webhook:test": "owner",
	"webhook:list-deliveries": "owner",
	"webhook:replay-delivery": "owner",
	"webhook:delete": changed("webhook.deleted"),
	// The server does it.
	"webhook:disable": { ...changed("webhook.disabled"), grant: "app" },
} as const;

/** What callers may do with webhooks. */
export type WebhookAction = keyof typeof WEBHOOK_ACTIONS;

/**
 * Webhooks of tenants: a tenant gets what happens in it as signed requests. The app runs
 * `deliverWebhooks()` every few seconds.
 *
 * @example
 * ```ts
 * betterAuth({ plugins: [tenantAuth(), tenantWebhooks()] });
 * ```
 */
export const tenantWebhooks = (options: TenantWebhooksOptions = {}) => {
	requireKnownOptions("tenantWebhooks", options, { retentionDays: true, schema: true });
	const { retentionDays = 30, schema } = options;
	requireCount("retentionDays", retentionDays, "tenantWebhooks");
	return defineTenantPlugin({
		id: "tenant-auth-webhooks",
		schema: webhookSchema(schema),
		endpoints: {
			createTenantWebhook,
			listTenantWebhooks,
			updateTenantWebhook,
			rotateTenantWebhookSecret,
			testTenantWebhook,
			listTenantWebhookDeliveries,
			replayTenantWebhookDelivery,
			deleteTenantWebhook,
		},
		tenant: {
			requires: ["tenant-auth"],
			creator: "tenantWebhooks",
			actions: WEBHOOK_ACTIONS,
			events: WEBHOOK_EVENTS,
			tables: { tenantWebhook: "explicit", tenantWebhookDelivery: "explicit" },
			secrets: { tenantWebhook: WEBHOOK_SECRETS },
			listener: outbox,
			cleanUp: {
				webhookDeliveries: (ctx, signal) => pruneDeliveries(ctx, retentionDays, signal),
			},
		},
		$ERROR_CODES: TENANT_WEBHOOKS_ERROR_CODES,
	});
};
