export {
	type DeliverWebhooksOptions,
	type DeliverWebhooksReport,
	deliverWebhooks,
} from "./deliver";
export type { TenantWebhookEvent } from "./event-types";
export { type TenantWebhooksOptions, tenantWebhooks, type WebhookAction } from "./plugin";
export type { TenantWebhook, WebhookDelivery } from "./webhook";
