import type { Command } from "commander";
import { createJobs } from "../../jobs/jobs";
import { Failure, listing, type OutputOptions, printResult } from "../output";
import { withAuth } from "../with-auth";

export function addCleanUp(program: Command): void {
	program
		.command("clean-up")
		.description(
			"delete expired sessions, tokens and invitations, and events that are past their retention; the server does so by itself",
		)
		.option("--json", "print the number of deleted rows as JSON")
		.action(runCleanUp);
}

async function runCleanUp(options: OutputOptions): Promise<void> {
	await withAuth(async (auth, { database, log, settings }) => {
		const metrics = { countJob: () => {}, countDeliveries: () => {} };
		const jobs = createJobs({ auth, database, log, metrics }, settings);
		const deleted = await jobs.run("clean-up");
		if (!deleted) {
			throw new Failure("A server is cleaning up now. Try again in a few minutes.", {
				code: "ALREADY_RUNNING",
			});
		}
		printResult(options, { deleted }, () =>
			listing({
				sessions: deleted.sessions,
				verifications: deleted.verifications,
				"OAuth tokens": deleted.oauthTokens,
				invitations: deleted.invitations,
				"audit events": deleted.auditEvents,
				"sign-ins": deleted.signIns,
				"webhook deliveries": deleted.webhookDeliveries,
			}),
		);
	});
}
