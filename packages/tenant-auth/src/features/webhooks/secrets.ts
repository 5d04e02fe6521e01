import type { AuthContext } from "@better-auth/core";
import type { FeatureSecret } from "../../call/port/tenant-plugin";
import { type SealingContext, seal, unseal } from "../../database/encrypted-values";
import type { WebhookRow } from "./webhook";

const PREFIX = "whsec_";

/** Where a secret of a webhook belongs. It can be decrypted nowhere else. */
const placeOf = ({ id, tenantId }: Pick<WebhookRow, "id" | "tenantId">) => [
	"webhook",
	tenantId,
	id,
	"secret",
];

/** The encrypted columns. */
export const WEBHOOK_SECRETS: readonly FeatureSecret[] = [
	{ name: "secret", placeOf: (row) => placeOf(row as unknown as WebhookRow) },
	{
		name: "previousSecret",
		placeOf: (row) => placeOf(row as unknown as WebhookRow),
		isUsed: ({ previousUntil }) => previousUntil instanceof Date && previousUntil > new Date(),
	},
];

const SECRET_BYTES = 32;

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCodePoint(...bytes));
const fromBase64 = (text: string) =>
	Uint8Array.from(atob(text), (character) => character.codePointAt(0) ?? 0);

export const newSecret = (): string =>
	PREFIX + toBase64(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));

export const sealSecret = (
	ctx: SealingContext,
	webhook: Pick<WebhookRow, "id" | "tenantId">,
	secret: string,
): Promise<string> => seal(ctx, placeOf(webhook), secret);

/** The stored secrets that sign now: the current one, and for a while the one before. */
function sealedSecrets({ secret, previousSecret, previousUntil }: WebhookRow): string[] {
	const isRotating =
		previousSecret !== null && previousUntil !== null && previousUntil > new Date();
	return isRotating ? [secret, previousSecret] : [secret];
}

/** @throws Error if one cannot be decrypted */
const unsealSecrets = (ctx: SealingContext, webhook: WebhookRow): Promise<string[]> =>
	Promise.all(sealedSecrets(webhook).map((each) => unseal(ctx, placeOf(webhook), each)));

/** The same, for sending. */
export async function openSecrets(
	ctx: SealingContext & Pick<AuthContext, "logger">,
	webhook: WebhookRow,
): Promise<string[]> {
	try {
		return await unsealSecrets(ctx, webhook);
	} catch {
		// Not logged: the cause may contain a part of the plaintext.
		ctx.logger.error(`Cannot decrypt the secret of webhook ${webhook.id}`);
		throw new Error("The stored secret cannot be decrypted");
	}
}

/**
 * The headers of a message, signed with every secret.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export async function signedHeaders(
	secrets: string[],
	{ id, timestamp, payload }: { id: string; timestamp: Date; payload: string },
): Promise<Record<string, string>> {
	const seconds = Math.floor(timestamp.getTime() / 1000);
	const content = new TextEncoder().encode(`${id}.${seconds}.${payload}`);
	const sign = async (secret: string) => {
		const algorithm = { name: "HMAC", hash: "SHA-256" };
		const bytes = fromBase64(secret.slice(PREFIX.length));
		const key = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["sign"]);
		return `v1,${toBase64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`;
	};
	return {
		"webhook-id": id,
		"webhook-timestamp": String(seconds),
		"webhook-signature": (await Promise.all(secrets.map(sign))).join(" "),
	};
}
