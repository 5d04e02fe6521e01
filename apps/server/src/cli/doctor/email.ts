import { checkSmtp, smtpReason } from "../../email/mailer";
import type { Configuration } from "../configuration";
import { type CheckResult, resultOf, skipped } from "./check-result";

/** Connects to the SMTP server and signs in there, but sends nothing. */
export async function checkEmailServer(
	{ config }: Configuration,
	{ offline }: { offline?: boolean },
): Promise<CheckResult> {
	const { smtpUrl } = config.settings.email;
	if (!smtpUrl) return skipped("email", "SMTP_URL is not set");
	if (offline) return skipped("email", "--offline");
	try {
		await checkSmtp(smtpUrl);
		return resultOf("email", [], "the SMTP server responds");
	} catch (error) {
		const problem = `The SMTP server at SMTP_URL does not accept us: ${smtpReason(error)}.`;
		const remedy = "Check SMTP_URL: host, port, user and password. --offline skips this check.";
		return resultOf("email", [{ problem, remedy }], "");
	}
}
