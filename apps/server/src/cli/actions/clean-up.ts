import { createJobs } from "../../jobs/jobs";
import { Failure, listing, type OutputOptions, printResult } from "../output";
import { withAuth } from "../with-auth";

export async function runCleanUp(options: OutputOptions): Promise<void> {
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
