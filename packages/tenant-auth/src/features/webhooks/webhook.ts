import * as z from "zod";
import { date, flag, text, textOrNull, texts } from "../../described";
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
	id: text("Unique id"),
	tenantId: text("The tenant"),
	url: text("Where events are sent"),
	description: textOrNull("What it is for"),
	eventTypes: texts("The events that it gets; * for all"),
	enabled: flag("Whether events are sent"),
	failures: z.int().meta({ description: "Failed attempts since the last one that succeeded" }),
	disabledAt: z
		.date()
		.nullable()
		.meta({ description: "When it was disabled because it kept failing" }),
	previousSecretUntil: z
		.date()
		.nullable()
		.meta({ description: "Until when the secret before the last rotation signs too" }),
	createdAt: date("When it was created"),
	updatedAt: date("When it was last changed"),
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
	id: text("Unique id"),
	webhookId: text("The webhook"),
	eventId: text("The event, and the header webhook-id"),
	eventType: text("For example user.created"),
	payload: text("The JSON that is sent"),
	state: z
		.enum(["pending", "delivered", "failed"])
		.meta({ description: "failed: it is not tried again" }),
	attempts: z.int().meta({ description: "How often it was tried" }),
	nextAttemptAt: z.date().nullable().meta({ description: "When it is tried again" }),
	responseStatus: z.int().nullable().meta({ description: "The status of the last response" }),
	error: textOrNull("Why the last attempt failed"),
	createdAt: date("When the event happened"),
	finishedAt: z.date().nullable().meta({ description: "When it was delivered, or given up" }),
});

/** One event for one webhook, and what became of it. */
export type WebhookDelivery = z.output<typeof deliverySchema>;

export function toDelivery(row: DeliveryRow): WebhookDelivery {
	const { tenantId: _, nextAttemptAt, ...rest } = row;
	return { ...rest, nextAttemptAt: row.state === "pending" ? nextAttemptAt : null };
}
