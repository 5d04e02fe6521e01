import type { Log } from "../logs/log";
import type { Metrics } from "../metrics/metrics";
import type { MailSettings } from "../settings/mail";
import type { Mail } from "./mail";
import { Outbox } from "./outbox";
import { smtpMailer } from "./smtp-mailer";

export type Mailer = {
	/**
	 * Sends in the background, and never fails: whoever asked must learn neither from an error nor
	 * from the time it took whether there was anybody to write to.
	 */
	send: (mail: Mail) => void;
	/** What was kept instead of sent; `null` where mails are sent. */
	outbox: Outbox | null;
	/** Waits for mails that are under way, but not for long. */
	close: () => Promise<void>;
};

export function createMailer(
	{ smtpUrl, from }: MailSettings,
	log: Log,
	noteMail: Metrics["noteMail"],
): Mailer {
	return smtpUrl ? smtpMailer({ url: smtpUrl, from, log, noteMail }) : outboxMailer(log);
}

function outboxMailer(log: Log): Mailer {
	const outbox = new Outbox();
	return {
		send: (mail) => {
			outbox.add(mail);
			log.debug({ to: mail.to, subject: mail.subject }, "mail kept in the outbox");
		},
		outbox,
		close: async () => {},
	};
}
