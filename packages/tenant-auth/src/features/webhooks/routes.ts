import type { Route } from "../../routes";

/** The endpoints of webhooks. The client loads this file. */
export const WEBHOOK_ROUTES = {
	createTenantWebhook: {
		method: "POST",
		path: "/tenant/webhook/create",
		action: "webhook:create",
	},
	listTenantWebhooks: { method: "GET", path: "/tenant/webhook/list", action: "webhook:list" },
	updateTenantWebhook: {
		method: "POST",
		path: "/tenant/webhook/update",
		action: "webhook:update",
	},
	rotateTenantWebhookSecret: {
		method: "POST",
		path: "/tenant/webhook/rotate-secret",
		action: "webhook:rotate-secret",
	},
	testTenantWebhook: { method: "POST", path: "/tenant/webhook/test", action: "webhook:test" },
	listTenantWebhookDeliveries: {
		method: "GET",
		path: "/tenant/webhook/delivery/list",
		action: "webhook:list-deliveries",
	},
	replayTenantWebhookDelivery: {
		method: "POST",
		path: "/tenant/webhook/delivery/replay",
		action: "webhook:replay-delivery",
	},
	deleteTenantWebhook: {
		method: "POST",
		path: "/tenant/webhook/delete",
		action: "webhook:delete",
	},
} as const satisfies Record<string, Route>;
