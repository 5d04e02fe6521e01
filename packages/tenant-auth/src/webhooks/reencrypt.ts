import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { parseEnvelope } from "better-auth/crypto";
import type { AnyAuth } from "../context/current-state";
import { walkById } from "../database/walk-by-id";
import { sealedSecrets, sealSecret, unsealSecrets } from "./secrets";
import type { WebhookRow } from "./webhook";

const MODEL = "tenantWebhook";

export interface ReencryptWebhooksReport {
	/** Number of checked webhooks. */
	total: number;
	reencrypted: number;
	/** Webhooks whose secret no key decrypts. They are unchanged, and need a new secret. */
	unreadable: { tenantId: string; webhookId: string }[];
}

/**
 * Re-encrypts the secrets of all webhooks with the newest of Better Auth's versioned `secrets`, as
 * `reencryptCredentials()` does with OAuth credentials. Run both before you remove an older secret. You
 * can interrupt it and run it again.
 *
 * @example
 * ```ts
 * const { reencrypted, unreadable } = await reencryptWebhookSecrets(auth);
 * ```
 *
 * @throws BetterAuthError if the instance has no versioned secrets
 */
export async function reencryptWebhookSecrets(auth: AnyAuth): Promise<ReencryptWebhooksReport> {
	const ctx = (await auth.$context) as AuthContext;
	if (typeof ctx.secretConfig === "string") {
		throw new BetterAuthError(
			"reencryptWebhookSecrets: there is no newer secret. Set `secrets` (BETTER_AUTH_SECRETS) with the newest first, and keep the current one as `secret`",
		);
	}
	const report: ReencryptWebhooksReport = { total: 0, reencrypted: 0, unreadable: [] };
	for await (const row of walkById<WebhookRow>(ctx, MODEL)) {
		report.total += 1;
		const outcome = await reencrypt(ctx, row);
		if (outcome === "reencrypted") report.reencrypted += 1;
		if (outcome === "unreadable") {
			report.unreadable.push({ tenantId: row.tenantId, webhookId: row.id });
		}
	}
	return report;
}

async function reencrypt(
	ctx: AuthContext,
	row: WebhookRow,
): Promise<"reencrypted" | "current" | "unreadable"> {
	if (isOfNewestKey(ctx, row)) return "current";
	const secrets = await unsealSecrets(ctx, row).catch(() => null);
	if (!secrets) return "unreadable";
	const [secret = "", previousSecret = null] = await Promise.all(
		secrets.map((each) => sealSecret(ctx, row, each)),
	);
	const changed = await ctx.adapter.updateMany({
		model: MODEL,
		// A rotation meanwhile must not be undone. It has used the newest key.
		where: [
			{ field: "id", value: row.id },
			{ field: "secret", value: row.secret },
		],
		update: { secret, previousSecret },
	});
	return changed > 0 ? "reencrypted" : "current";
}

function isOfNewestKey({ secretConfig }: AuthContext, row: WebhookRow): boolean {
	if (typeof secretConfig === "string") return true;
	return sealedSecrets(row).every(
		(sealed) => parseEnvelope(sealed)?.version === secretConfig.currentVersion,
	);
}
