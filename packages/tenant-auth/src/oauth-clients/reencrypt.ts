import { BetterAuthError } from "@better-auth/core/error";
import { sealCredential } from "./cipher";
import type { OAuthConfigRow } from "./config";
import {
	type AnyAuth,
	areOfNewestKey,
	type CredentialContext,
	findCredentials,
} from "./inspect-credentials";
import { walkConfigs } from "./walk-configs";

const MODEL = "tenantOauthConfig";

export interface ResealProgress {
	/** Configs that were looked at. */
	done: number;
	/** Configs that there were at the start. */
	total: number;
	/** Those that were sealed anew. */
	resealed: number;
}

export interface ResealReport extends ResealProgress {
	/** Configs whose credentials open under none of the keys. They were left as they are. */
	unreadable: { tenantId: string; providerId: string }[];
}

export interface ResealOptions {
	/** Called after each config. */
	onProgress?: (progress: ResealProgress) => void;
}

/**
 * Seals the stored credentials of every tenant under the newest of Better Auth's versioned `secrets`.
 * If none is `unreadable` afterwards, older secrets are no longer needed for them.
 *
 * Run it when every instance has the new secret: one that has not would write under the old one, and
 * cannot read what this writes. It may be interrupted and run again, and sign-ins and registrations
 * may go on: a config is written only if it is what was read, and what is done already is left alone.
 *
 * @example
 * ```ts
 * const { resealed, unreadable } = await resealCredentials(auth, {
 *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
 * });
 * ```
 *
 * @throws BetterAuthError when the instance has no versioned secrets
 */
export async function resealCredentials(
	auth: AnyAuth,
	{ onProgress }: ResealOptions = {},
): Promise<ResealReport> {
	const ctx = (await auth.$context) as CredentialContext;
	if (typeof ctx.secretConfig === "string") {
		throw new BetterAuthError(
			"resealCredentials: there is no newer secret to seal under. Give Better Auth `secrets` (BETTER_AUTH_SECRETS) with the newest first, and the one in use until now as `secret`",
		);
	}
	const total = await ctx.adapter.count({ model: MODEL });
	const report: ResealReport = { done: 0, total, resealed: 0, unreadable: [] };
	for await (const row of walkConfigs(ctx)) {
		const outcome = await resealRow(ctx, row);
		report.done += 1;
		if (outcome === "resealed") report.resealed += 1;
		if (outcome === "unreadable") {
			report.unreadable.push({ tenantId: row.tenantId, providerId: row.providerId });
		}
		onProgress?.({ done: report.done, total, resealed: report.resealed });
	}
	return report;
}

async function resealRow(
	ctx: CredentialContext,
	read: OAuthConfigRow,
): Promise<"resealed" | "current" | "unreadable" | "gone"> {
	const byId = { field: "id", value: read.id };
	let row: OAuthConfigRow | null = read;
	// A few rounds: it may be registered anew between two steps.
	for (let round = 0; row && round < 5; round += 1) {
		const credentials = await findCredentials(ctx, row);
		if (!credentials) return "unreadable";
		if (areOfNewestKey(ctx, row)) return "current";
		const written = await ctx.adapter.updateMany({
			model: MODEL,
			// Only in the place of what was read: a registration meanwhile would be undone.
			where: [
				byId,
				{ field: "clientId", value: row.clientId },
				{ field: "clientSecret", value: row.clientSecret },
			],
			update: await sealed(ctx, row, credentials),
		});
		if (written > 0) return "resealed";
		row = await ctx.adapter.findOne<OAuthConfigRow>({ model: MODEL, where: [byId] });
	}
	if (!row) return "gone";
	throw new Error(`The config of ${row.providerId} kept changing while it was sealed anew`);
}

async function sealed(
	ctx: CredentialContext,
	{ tenantId, providerId }: OAuthConfigRow,
	{ clientId, clientSecret }: { clientId: string; clientSecret: string },
) {
	const binding = { tenantId, providerId };
	return {
		clientId: await sealCredential(ctx, { ...binding, field: "clientId" }, clientId),
		clientSecret: await sealCredential(ctx, { ...binding, field: "clientSecret" }, clientSecret),
	};
}
