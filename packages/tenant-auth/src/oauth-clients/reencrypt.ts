import { BetterAuthError } from "@better-auth/core/error";
import type { AnyAuth } from "../context/current-state";
import { encryptCredential } from "./cipher";
import type { OAuthConfigRow } from "./config";
import {
	areOfNewestKey,
	type CredentialContext,
	contextOf,
	findCredentials,
	walkConfigs,
} from "./inspect-credentials";

const MODEL = "tenantOauthConfig";

export interface ReencryptProgress {
	/** Number of checked configs. */
	done: number;
	/** Number of configs at the start. */
	total: number;
	/** Number of re-encrypted configs. */
	reencrypted: number;
}

export interface ReencryptReport extends ReencryptProgress {
	/** Configs that no key decrypts. They are unchanged. */
	unreadable: { tenantId: string; providerId: string }[];
}

export interface ReencryptOptions {
	/** Called after each config. */
	onProgress?: (progress: ReencryptProgress) => void;
}

/**
 * Re-encrypts the stored credentials of every tenant with the newest of Better Auth's versioned
 * `secrets`. If none is `unreadable` afterwards, they no longer need older secrets.
 *
 * Run it when every instance has the new secret: an instance without it cannot read the result. You can
 * interrupt it and run it again. Sign-ins and registrations may go on: a config is written only if it is
 * still what was read.
 *
 * @example
 * ```ts
 * const { reencrypted, unreadable } = await reencryptCredentials(auth, {
 *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
 * });
 * ```
 *
 * @throws BetterAuthError if the instance has no versioned secrets
 */
export async function reencryptCredentials(
	auth: AnyAuth,
	{ onProgress }: ReencryptOptions = {},
): Promise<ReencryptReport> {
	const ctx = await contextOf(auth);
	if (typeof ctx.secretConfig === "string") {
		throw new BetterAuthError(
			"reencryptCredentials: there is no newer secret. Set `secrets` (BETTER_AUTH_SECRETS) with the newest first, and keep the current one as `secret`",
		);
	}
	const total = await ctx.adapter.count({ model: MODEL });
	const report: ReencryptReport = { done: 0, total, reencrypted: 0, unreadable: [] };
	for await (const row of walkConfigs(ctx)) {
		const outcome = await reencryptRow(ctx, row);
		report.done += 1;
		if (outcome === "reencrypted") report.reencrypted += 1;
		if (outcome === "unreadable") {
			report.unreadable.push({ tenantId: row.tenantId, providerId: row.providerId });
		}
		onProgress?.({ done: report.done, total, reencrypted: report.reencrypted });
	}
	return report;
}

async function reencryptRow(
	ctx: CredentialContext,
	read: OAuthConfigRow,
): Promise<"reencrypted" | "current" | "unreadable" | "gone"> {
	const byId = { field: "id", value: read.id };
	let row: OAuthConfigRow | null = read;
	// Retried: the config may be registered again between two steps.
	for (let round = 0; row && round < 5; round += 1) {
		const credentials = await findCredentials(ctx, row);
		if (!credentials) return "unreadable";
		if (areOfNewestKey(ctx, row)) return "current";
		const written = await ctx.adapter.updateMany({
			model: MODEL,
			// Only if it is still what was read: a registration meanwhile must not be undone.
			where: [
				byId,
				{ field: "clientId", value: row.clientId },
				{ field: "clientSecret", value: row.clientSecret },
			],
			update: await encrypted(ctx, row, credentials),
		});
		if (written > 0) return "reencrypted";
		row = await ctx.adapter.findOne<OAuthConfigRow>({ model: MODEL, where: [byId] });
	}
	if (!row) return "gone";
	throw new Error(`The config of ${row.providerId} kept changing while it was re-encrypted`);
}

async function encrypted(
	ctx: CredentialContext,
	{ tenantId, providerId }: OAuthConfigRow,
	{ clientId, clientSecret }: { clientId: string; clientSecret: string },
) {
	const binding = { tenantId, providerId };
	return {
		clientId: await encryptCredential(ctx, { ...binding, field: "clientId" }, clientId),
		clientSecret: await encryptCredential(ctx, { ...binding, field: "clientSecret" }, clientSecret),
	};
}
