import type { Auth } from "../auth";
import { createMailer, smtpReason } from "../email/mailer";
import { Failure } from "./output";
import { withAuth } from "./with-auth";

export type LinkOptions = {
	/** Prints the link instead of sending it. */
	printLink?: boolean;
};

/**
 * Runs `work`, which makes an email with a link, and sends the email. It waits for the SMTP server, because
 * the exit code must say whether the email was accepted.
 *
 * @returns the result, and the link if it is to be printed
 */
export async function withSentLink<T>(
	{ printLink = false }: LinkOptions,
	work: (auth: Auth) => Promise<T>,
): Promise<{ result: T; url: string | null }> {
	// Kept in this process, also if no server can send emails: the link can be printed.
	return withAuth(
		async (auth, { mailer, settings, log }) => {
			const { email } = settings;
			if (!printLink && !email.smtpUrl) {
				throw new Failure(
					"SMTP_URL is not set, so no email can be sent. To print the link, pass --print-link.",
					{ code: "MAIL_NOT_CONFIGURED" },
				);
			}
			const result = await work(auth);
			const [kept] = (await mailer.outbox?.list()) ?? [];
			if (!kept?.link) {
				throw new Failure("No email was made. LOG_LEVEL=error shows why.", {
					code: "MAIL_NOT_SENT",
				});
			}
			if (printLink) return { result, url: kept.link };
			const { to, subject, text, html } = kept;
			const sender = createMailer(email, log, () => {});
			try {
				await sender.sendAndWait({ to, subject, text, html });
			} catch (error) {
				throw new Failure(`The email was not sent: ${smtpReason(error)}.`, {
					code: "MAIL_NOT_SENT",
				});
			} finally {
				await sender.close();
			}
			return { result, url: null };
		},
		{ email: "outbox" },
	);
}
