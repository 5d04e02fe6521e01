import type { AuthContext } from "@better-auth/core";
import { parseEnvelope } from "better-auth/crypto";
import { openCredential } from "./cipher";
import { type OAuthConfigRow, type ProviderSettings, settingsOf } from "./config";
import { walkConfigs } from "./walk-configs";

/**
 * - `current`: sealed under the newest key
 * - `outdated`: it opens, but under a key that came before
 * - `unreadable`: it opens under none of the keys, or was sealed for another row
 */
export type CredentialState = "current" | "outdated" | "unreadable";

/** A tenant's config without anything secret, and whether its credentials open. */
export interface InspectedCredentials {
	tenantId: string;
	providerId: string;
	enabled: boolean;
	options: ProviderSettings | null;
	state: CredentialState;
}

/** Any instance: the type of its context depends on the host's options, so it is left open here. */
export interface AnyAuth {
	$context: Promise<object>;
}

export type CredentialContext = Pick<AuthContext, "adapter" | "secretConfig" | "logger">;

/** The credentials of a config, or `null` if they cannot be opened. */
export async function findCredentials(ctx: CredentialContext, row: OAuthConfigRow) {
	const { tenantId, providerId } = row;
	// Whoever asks about all of them is told which; a line in the log for each would be one too many.
	const quiet = { ...ctx, logger: { ...ctx.logger, error: () => undefined } };
	const open = (field: "clientId" | "clientSecret") =>
		openCredential(quiet, { tenantId, providerId, field }, row[field]);
	try {
		return { clientId: await open("clientId"), clientSecret: await open("clientSecret") };
	} catch {
		return null;
	}
}

/** Whether both credentials are sealed under the newest key, going by what they say of themselves. */
export function areOfNewestKey(
	{ secretConfig }: Pick<AuthContext, "secretConfig">,
	row: OAuthConfigRow,
): boolean {
	if (typeof secretConfig === "string") return true;
	return [row.clientId, row.clientSecret].every(
		(sealed) => parseEnvelope(sealed)?.version === secretConfig.currentVersion,
	);
}

/**
 * Opens the stored credentials of every tenant, and says of each how that went. For a check after a
 * restored backup or a changed secret; nothing secret is in what it gives.
 *
 * @example
 * ```ts
 * for await (const { tenantId, providerId, state } of inspectCredentials(auth)) {
 *   if (state === "unreadable") console.error(tenantId, providerId);
 * }
 * ```
 */
export async function* inspectCredentials(auth: AnyAuth): AsyncGenerator<InspectedCredentials> {
	const ctx = (await auth.$context) as CredentialContext;
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
