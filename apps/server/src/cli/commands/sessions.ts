import { setTimeout as sleep } from "node:timers/promises";
import type { Where } from "@better-auth/core/db/adapter";
import { recordAppEvent, runAcrossTenants } from "better-auth-tenant";
import type { Command } from "commander";
import { RUN_CHECK_MS } from "../../database/redis-run";
import { deleteInAllTenants } from "../../openid-provider/applications/store";
import { parseTime, requireConfirmation } from "../input";
import { count, type OutputOptions, printResult } from "../output";
import { withAuth } from "../with-auth";

export function addSessions(program: Command): void {
	program
		.command("sessions")
		.description("manage the sessions of all tenants")
		.command("end")
		.description(
			"end all sessions from before a time, and the tokens that applications got before it, also those of operators; for example after a backup was restored, which brings back sessions that had ended",
		)
		.requiredOption("--before <time>", "such as 2026-11-17T12:00:00Z, or now", parseTime)
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { before, sessions, tokens } as JSON")
		.action(end);
}

type Options = OutputOptions & { before: Date; yes?: boolean };

/** Access tokens go first: they reference their refresh token. */
const TOKENS = ["oauthAccessToken", "oauthRefreshToken"];

async function end(options: Options): Promise<void> {
	await withAuth(async (auth, { redis }) => {
		const context = await auth.$context;
		const { adapter } = context;
		const { before } = options;
		const where: Where[] = [{ field: "createdAt", operator: "lt", value: before }];
		const countOf = (model: string) => runAcrossTenants(() => adapter.count({ model, where }));
		const sessions = await countOf("session");
		const tokens = (await Promise.all(TOKENS.map(countOf))).reduce((sum, some) => sum + some, 0);
		const found = `${count(sessions, "session", "sessions")} and ${count(tokens, "token", "tokens")} of applications`;
		const warning = `This ends ${found} from before ${before.toISOString()}. The users have to sign in again.`;
		await requireConfirmation(options, warning, "end");
		for (const model of ["session", ...TOKENS]) {
			await runAcrossTenants(() => deleteInAllTenants(adapter, model, where));
		}
		// Redis may have sessions that a restored database does not know. All others are read from the database.
		await redis?.forgetAll();
		if (redis) await sleep(RUN_CHECK_MS);
		await recordAppEvent(
			{ context },
			{
				action: "app:end-sessions",
				actor: { kind: "server", id: null },
				detail: { before, sessions, tokens },
			},
		);
		printResult(options, { before, sessions, tokens }, () => `${found} ended.`);
	});
}
