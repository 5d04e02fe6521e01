import { createTransport } from "nodemailer";
import type { Log } from "../logs/log";
import type { Metrics } from "../metrics/metrics";
import type { MailSettings } from "../settings/mail";
import type { Mail } from "./mail";
import { Outbox } from "./outbox";

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

/** More would only be a mail server that does not answer, and memory. */
const mostUnderWay = 1000;
const patienceMs = 5000;

export function createMailer(
	settings: MailSettings,
	log: Log,
	noteMail: Metrics["noteMail"],
): Mailer {
	return settings.smtpUrl
		? smtpMailer(settings.smtpUrl, settings.from, log, noteMail)
		: outboxMailer(log);
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

function smtpMailer(url: string, from: string, log: Log, noteMail: Metrics["noteMail"]): Mailer {
	const transport = createTransport(pooled(url), { from });
	const underWay = new Set<Promise<void>>();
	const deliver = async (mail: Mail) => {
		try {
			await transport.sendMail(mail);
			noteMail("sent");
			log.debug({ to: mail.to, subject: mail.subject }, "mail sent");
		} catch (error) {
			noteMail("failed");
			log.error({ err: error, subject: mail.subject }, "a mail could not be sent");
		}
	};
	return {
		send: (mail) => {
			if (underWay.size >= mostUnderWay) {
				noteMail("failed");
				log.error({ subject: mail.subject }, "a mail was dropped: too many wait to be sent");
				return;
			}
			const delivery = deliver(mail).finally(() => underWay.delete(delivery));
			underWay.add(delivery);
		},
		outbox: null,
		close: async () => {
			await Promise.race([Promise.all(underWay), patience()]);
			transport.close();
		},
	};
}

const patience = () => new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref());

/** The address with connections that are kept, and with limits where the address sets none. */
function pooled(url: string): string {
	const parsed = new URL(url);
	const defaults = { pool: "true", connectionTimeout: "10000", socketTimeout: "30000" };
	for (const [name, value] of Object.entries(defaults)) {
		if (!parsed.searchParams.has(name)) parsed.searchParams.set(name, value);
	}
	return parsed.href;
}
