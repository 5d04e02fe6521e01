import { setTimeout as sleep } from "node:timers/promises";
import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { recordAppEvent, runAcrossTenants } from "better-auth-tenant";
import { RUN_CHECK_MS } from "../../database/redis-run";
import { deleteInAllTenants } from "../../openid-provider/applications/store";
import { requireConfirmation } from "../input";
import { count, type OutputOptions, printResult } from "../output";
import { withAuth } from "../with-auth";

type Options = OutputOptions & { before: Date; yes?: boolean };

/** Access tokens go first: they reference their refresh token. */
const TOKENS = ["oauthAccessToken", "oauthRefreshToken"];

/**
 * What was presented once and must not be again. Such a row lets nobody in. Without it, what it names could
 * be presented a second time.
 */
const USED = ["saml-used-assertion:", "dpop-proof:"];
/** More than are presented until they expire. `findMany` returns 100 otherwise. */
const MAX_USED = 10_000;

/** Links and codes that were sent, sign-ins that have begun, and trusted devices. */
async function verificationsBefore(
	adapter: Pick<DBAdapter, "findMany">,
	isBefore: Where,
): Promise<Where[]> {
	const rows = await runAcrossTenants(() =>
		Promise.all(
			USED.map((value) =>
				adapter.findMany<{ id: string }>({
					model: "verification",
					where: [
						{ field: "identifier", operator: "starts_with", value },
						{ field: "expiresAt", operator: "gt", value: new Date() },
					],
					limit: MAX_USED,
				}),
			),
		),
	);
	const ids = rows.flat().map(({ id }) => id);
	return [
		isBefore,
		...(ids.length > 0 ? [{ field: "id", operator: "not_in" as const, value: ids }] : []),
	];
}

export async function end(options: Options): Promise<void> {
	await withAuth(async (auth, { redis }) => {
		const context = await auth.$context;
		const { adapter } = context;
		const { before } = options;
		const isBefore: Where = { field: "createdAt", operator: "lt", value: before };
		const conditions: Record<string, Where[]> = {
			session: [isBefore],
			...Object.fromEntries(TOKENS.map((model) => [model, [isBefore]])),
			// With Redis there is no such table, except for SAML.
			...(context.tables.verification
				? { verification: await verificationsBefore(adapter, isBefore) }
				: {}),
		};
		const counts: Record<string, number> = {};
		for (const [model, where] of Object.entries(conditions)) {
			counts[model] = await runAcrossTenants(() => adapter.count({ model, where }));
		}
		const { session: sessions = 0, verification: verifications = 0, ...ofApps } = counts;
		const tokens = Object.values(ofApps).reduce((sum, some) => sum + some, 0);
		const found = [
			count(sessions, "session", "sessions"),
			`${count(tokens, "token", "tokens")} of applications`,
			count(verifications, "link, code or trusted device", "links, codes and trusted devices"),
		].join(", ");
		const warning = `This ends ${found} from before ${before.toISOString()}. The users have to sign in again.`;
		await requireConfirmation(options, warning, "end");
		for (const [model, where] of Object.entries(conditions)) {
			await runAcrossTenants(() => deleteInAllTenants(adapter, model, where));
		}
		// Redis may have sessions that a restored database does not know. All others are read from the database.
		await redis?.forgetAll();
		if (redis) await sleep(RUN_CHECK_MS);
		const detail = { before, sessions, tokens, verifications };
		await recordAppEvent(
			{ context },
			{ action: "app:end-sessions", actor: { kind: "server", id: null }, detail },
		);
		printResult(options, detail, () => `${found} ended.`);
	});
}
