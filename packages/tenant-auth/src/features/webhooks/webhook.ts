import * as z from "zod";
import type { DeliveryRow } from "./outbox";

/** A webhook as the database stores it. */
export interface WebhookRow {
	id: string;
	tenantId: string;
	url: string;
	description: string | null;
	/** A JSON array as text. */
	eventTypes: string;
	enabled: boolean;
	secret: string;
	previousSecret: string | null;
	previousUntil: Date | null;
	failures: number;
	disabledAt: Date | null;
	createdAt: Date;
	updatedAt: Date;
}

const storedTypes = z.array(z.string());

export const webhookSchema = z.object({
	id: z.string().meta({ description: "Unique id" }),
	tenantId: z.string().meta({ description: "The tenant" }),
	url: z.string().meta({ description: "Where events are sent" }),
	description: z.string().nullable().meta({ description: "What it is for" }),
	eventTypes: z.array(z.string()).meta({ description: "The events that it gets; * for all" }),
	enabled: z.boolean().meta({ description: "Whether events are sent" }),
	failures: z.int().meta({ description: "Failed attempts since the last one that succeeded" }),
	disabledAt: z
		.date()
		.nullable()
		.meta({ description: "When it was disabled because it kept failing" }),
	previousSecretUntil: z
		.date()
		.nullable()
		.meta({ description: "Until when the secret before the last rotation signs too" }),
	createdAt: z.date().meta({ description: "When it was created" }),
	updatedAt: z.date().meta({ description: "When it was last changed" }),
});

/** A webhook as callers see it, without its secret. */
export type TenantWebhook = z.output<typeof webhookSchema>;

export const typesOf = ({ eventTypes }: Pick<WebhookRow, "eventTypes">): string[] =>
	storedTypes.parse(JSON.parse(eventTypes));

export function toWebhook(row: WebhookRow): TenantWebhook {
	const { id, tenantId, url, description, enabled, failures, disabledAt } = row;
	const isSigning = row.previousUntil !== null && row.previousUntil > new Date();
	return {
		...{ id, tenantId, url, description, eventTypes: typesOf(row), enabled, failures, disabledAt },
		previousSecretUntil: isSigning ? row.previousUntil : null,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
	};
}

const MAX_URL_LENGTH = 2048;

/** `requirePublicURL` checks where it leads. */
export const webhookUrlSchema = z.string().min(1).max(MAX_URL_LENGTH);

export const descriptionSchema = z
	.string()
	.max(200)
	.regex(/^[^\p{Cc}]*$/u, "description must not contain control characters");

export const eventTypesSchema = z.array(z.string().max(100)).min(1).max(100);

export const deliverySchema = z.object({
	id: z.string().meta({ description: "Unique id" }),
	webhookId: z.string().meta({ description: "The webhook" }),
	eventId: z.string().meta({ description: "The event, and the header webhook-id" }),
	eventType: z.string().meta({ description: "For example user.created" }),
	payload: z.string().meta({ description: "The JSON that is sent" }),
	state: z
		.enum(["pending", "delivered", "failed"])
		.meta({ description: "failed: it is not tried again" }),
	attempts: z.int().meta({ description: "How often it was tried" }),
	nextAttemptAt: z.date().nullable().meta({ description: "When it is tried again" }),
	responseStatus: z.int().nullable().meta({ description: "The status of the last response" }),
	error: z.string().nullable().meta({ description: "Why the last attempt failed" }),
	createdAt: z.date().meta({ description: "When the event happened" }),
	finishedAt: z.date().nullable().meta({ description: "When it was delivered, or given up" }),
});

/** One event for one webhook, and what became of it. */
export type WebhookDelivery = z.output<typeof deliverySchema>;

export function toDelivery(row: DeliveryRow): WebhookDelivery {
	const { tenantId: _, nextAttemptAt, ...rest } = row;
	return { ...rest, nextAttemptAt: row.state === "pending" ? nextAttemptAt : null };
}
