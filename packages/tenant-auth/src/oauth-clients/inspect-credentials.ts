import type { AuthContext } from "@better-auth/core";
import { parseEnvelope } from "better-auth/crypto";
import type { AnyAuth } from "../context/current-state";
import { walkById } from "../database/walk-by-id";
import { decryptField } from "./cipher";
import { type OAuthConfigRow, type ProviderSettings, settingsOf } from "./config";

/**
 * - `current`: encrypted with the newest key
 * - `outdated`: encrypted with an older key
 * - `unreadable`: no key decrypts it, or it was encrypted for another row
 */
export type CredentialState = "current" | "outdated" | "unreadable";

/** A tenant's config without secrets, and whether its credentials can be decrypted. */
export interface InspectedCredentials {
	tenantId: string;
	providerId: string;
	enabled: boolean;
	options: ProviderSettings | null;
	state: CredentialState;
}

export type CredentialContext = Pick<AuthContext, "adapter" | "secretConfig" | "logger">;

/** The credentials of a config, or `null` if they cannot be decrypted. */
export async function findCredentials(ctx: CredentialContext, row: OAuthConfigRow) {
	// Not logged: the caller gets the state of each config.
	const quiet = { ...ctx, logger: { ...ctx.logger, error: () => undefined } };
	try {
		return {
			clientId: await decryptField(quiet, row, "clientId"),
			clientSecret: await decryptField(quiet, row, "clientSecret"),
		};
	} catch {
		return null;
	}
}

/** Whether both credentials name the newest key. */
export function areOfNewestKey(
	{ secretConfig }: Pick<AuthContext, "secretConfig">,
	row: OAuthConfigRow,
): boolean {
	if (typeof secretConfig === "string") return true;
	return [row.clientId, row.clientSecret].every(
		(sealed) => parseEnvelope(sealed)?.version === secretConfig.currentVersion,
	);
}

export const contextOf = async ({ $context }: AnyAuth) => (await $context) as CredentialContext;

/**
 * Decrypts the stored credentials of every tenant, and returns the state of each. Use it to check a
 * restored backup or a changed secret. The result contains no secrets.
 *
 * @example
 * ```ts
 * for await (const { tenantId, providerId, state } of inspectCredentials(auth)) {
 *   if (state === "unreadable") console.error(tenantId, providerId);
 * }
 * ```
 */
export async function* inspectCredentials(auth: AnyAuth): AsyncGenerator<InspectedCredentials> {
	const ctx = await contextOf(auth);
	for await (const row of walkConfigs(ctx)) {
		const { tenantId, providerId, enabled } = row;
		yield {
			tenantId,
			providerId,
			enabled,
			options: settingsOf(row),
			state: await stateOf(ctx, row),
		};
	}
}

async function stateOf(ctx: CredentialContext, row: OAuthConfigRow): Promise<CredentialState> {
	if (!(await findCredentials(ctx, row))) return "unreadable";
	return areOfNewestKey(ctx, row) ? "current" : "outdated";
}

/** All configs of all tenants. */
export const walkConfigs = (ctx: Pick<AuthContext, "adapter">): AsyncGenerator<OAuthConfigRow> =>
	walkById<OAuthConfigRow>(ctx, "tenantOauthConfig");
