import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi, callListApi, type PageParams } from "../../api/client";

const listWebhooks = (client: ApiClient, tenantId: string) =>
	callApi(client.tenant.webhook.list({ query: { tenantId } }));

type DeliveryQuery = PageParams & {
	webhookId?: string;
	state?: "pending" | "delivered" | "failed";
};

const listDeliveries = (
	client: ApiClient,
	tenantId: string,
	{ search: _, ...query }: DeliveryQuery,
) =>
	callListApi((fetchOptions) =>
		client.tenant.webhook.delivery.list({ query: { tenantId, ...query }, fetchOptions }),
	);

export type Webhook = Awaited<ReturnType<typeof listWebhooks>>[number];
export type Delivery = Awaited<ReturnType<typeof listDeliveries>>["items"][number];

type EventTypes = Parameters<ApiClient["tenant"]["webhook"]["create"]>[0]["eventTypes"];

export type WebhookInput = { url: string; description: string | null; eventTypes: string[] };

/** The service rejects types that it does not know. */
const known = (eventTypes: string[]) => eventTypes as EventTypes;

const REFETCH_MS = 3000;
const SOON_MS = 30_000;

/** Whether it changes soon, for example after somebody has sent it again. */
const isDue = ({ state, nextAttemptAt }: Delivery): boolean =>
	state === "pending" &&
	nextAttemptAt !== null &&
	new Date(nextAttemptAt).getTime() < Date.now() + SOON_MS;

/** The key of both queries below. */
export const webhooksKey = (tenantId: string) => ["webhooks", tenantId];

export const webhookCalls = (client: ApiClient) => ({
	webhooksQuery: (tenantId: string) =>
		queryOptions({
			queryKey: [...webhooksKey(tenantId), "list"],
			queryFn: () => listWebhooks(client, tenantId),
		}),

	deliveriesQuery: (tenantId: string, query: DeliveryQuery) =>
		queryOptions({
			queryKey: [...webhooksKey(tenantId), "deliveries", query],
			queryFn: () => listDeliveries(client, tenantId, query),
			placeholderData: keepPreviousData,
			refetchInterval: ({ state }) => (state.data?.items.some(isDue) ? REFETCH_MS : false),
		}),

	createWebhook: (tenantId: string, { eventTypes, ...input }: WebhookInput) =>
		callApi(client.tenant.webhook.create({ tenantId, ...input, eventTypes: known(eventTypes) })),
	updateWebhook: (
		tenantId: string,
		webhookId: string,
		{ eventTypes, ...change }: Partial<WebhookInput> & { enabled?: boolean },
	) =>
		callApi(
			client.tenant.webhook.update({
				tenantId,
				webhookId,
				...change,
				...(eventTypes ? { eventTypes: known(eventTypes) } : {}),
			}),
		),
	rotateWebhookSecret: (tenantId: string, webhookId: string, overlapHours: number) =>
		callApi(client.tenant.webhook.rotateSecret({ tenantId, webhookId, overlapHours })),
	testWebhook: (tenantId: string, webhookId: string) =>
		callApi(client.tenant.webhook.test({ tenantId, webhookId })),
	deleteWebhook: (tenantId: string, webhookId: string) =>
		callApi(client.tenant.webhook.delete({ tenantId, webhookId })),
	replayDelivery: (tenantId: string, deliveryId: string) =>
		callApi(client.tenant.webhook.delivery.replay({ tenantId, deliveryId })),
});
