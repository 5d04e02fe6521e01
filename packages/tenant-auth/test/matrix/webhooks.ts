import { expect } from "vitest";
import { type Attempt, forbidden, type MatrixRows, refused } from "./attempt";
import type { World } from "./world";

type Names = (world: World) => Record<string, string>;

const none: Names = () => ({});

const read = (path: string): Attempt[] => [
	{
		tries: "reads A's as its user",
		with: ({ asUserOfB, a }) => asUserOfB(path, { query: { tenantId: a.tenantId } }),
		gets: forbidden,
	},
	{
		tries: "reads A's as its manager, with itself in the header",
		with: ({ asManagerOfB, a, b }) =>
			asManagerOfB(path, { query: { tenantId: a.tenantId }, tenant: b.tenantId }),
		gets: forbidden,
	},
];

/** @param ofA what names the row of A */
const change = (path: string, ofA: Names, input: object = {}): Attempt[] => [
	{
		tries: "does it to A's as its user",
		with: (world) =>
			world.asUserOfB(path, { body: { tenantId: world.a.tenantId, ...ofA(world), ...input } }),
		gets: forbidden,
	},
	{
		tries: "does it to A's as its manager, with itself in the query and the header",
		with: (world) =>
			world.asManagerOfB(path, {
				body: { tenantId: world.a.tenantId, ...ofA(world), ...input },
				query: { tenantId: world.b.tenantId },
				tenant: world.b.tenantId,
			}),
		gets: forbidden,
	},
];

const changeOfRow = (path: string, ofA: Names, code: string, input: object = {}): Attempt[] => [
	...change(path, ofA, input),
	{
		tries: "does it to A's as if it were its own",
		with: (world) =>
			world.asManagerOfB(path, {
				body: { tenantId: world.b.tenantId, ...ofA(world), ...input },
				tenant: world.a.tenantId,
			}),
		gets: refused(404, code),
	},
];

const webhookOfA: Names = ({ a }) => ({ webhookId: a.webhookId });
const url = "https://hooks.example.com/of-b";

/** Reading what happens in A, and sending it elsewhere. */
export const webhookRows: MatrixRows = {
	createTenantWebhook: change("/tenant/webhook/create", none, { url, eventTypes: ["*"] }),
	listTenantWebhooks: [
		...read("/tenant/webhook/list"),
		{
			tries: "lists its own, with A in the header",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/webhook/list", {
					query: { tenantId: b.tenantId },
					tenant: a.tenantId,
				}),
			gets: ({ body }, { b }) =>
				expect(body).toEqual([expect.objectContaining({ id: b.webhookId })]),
		},
	],
	updateTenantWebhook: changeOfRow("/tenant/webhook/update", webhookOfA, "WEBHOOK_NOT_FOUND", {
		url,
	}),
	rotateTenantWebhookSecret: changeOfRow(
		"/tenant/webhook/rotate-secret",
		webhookOfA,
		"WEBHOOK_NOT_FOUND",
	),
	testTenantWebhook: changeOfRow("/tenant/webhook/test", webhookOfA, "WEBHOOK_NOT_FOUND"),
	deleteTenantWebhook: changeOfRow("/tenant/webhook/delete", webhookOfA, "WEBHOOK_NOT_FOUND"),
	listTenantWebhookDeliveries: [
		...read("/tenant/webhook/delivery/list"),
		{
			tries: "lists its own, and asks for those to A's webhook",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/webhook/delivery/list", {
					query: { tenantId: b.tenantId, webhookId: a.webhookId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual([]),
		},
	],
	replayTenantWebhookDelivery: changeOfRow(
		"/tenant/webhook/delivery/replay",
		({ a }) => ({ deliveryId: a.deliveryId }),
		"WEBHOOK_DELIVERY_NOT_FOUND",
	),
	listTenantSignIns: [
		...read("/tenant/sign-in/list"),
		{
			tries: "lists its own, and asks for those of A's user",
			with: ({ asManagerOfB, a, b }) =>
				asManagerOfB("/tenant/sign-in/list", {
					query: { tenantId: b.tenantId, userId: a.userId },
					tenant: a.tenantId,
				}),
			gets: ({ body }) => expect(body).toEqual([]),
		},
	],
};
