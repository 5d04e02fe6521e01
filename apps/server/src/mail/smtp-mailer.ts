import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Log } from "../logs/log";
import type { Metrics } from "../metrics/metrics";
import type { Mail } from "./mail";
import type { Mailer } from "./mailer";

export type SmtpConfig = {
	url: string;
	from: string;
	log: Log;
	noteMail: Metrics["noteMail"];
	/** How long to wait before each further attempt. */
	retryDelaysMs?: number[];
};

/** More would only be a mail server that does not answer, and memory. */
const mostUnderWay = 1000;
const patienceMs = 5000;
/** Some three minutes, in which a mail server restarts; later a person has asked again. */
const usualRetryDelaysMs = [1000, 5000, 30_000, 120_000];

export function smtpMailer(config: SmtpConfig): Mailer {
	const { url, from, log, noteMail, retryDelaysMs = usualRetryDelaysMs } = config;
	const transport = createTransport(pooled(url), { from });
	const underWay = new Set<Promise<void>>();
	const stopping = new AbortController();

	const attempt = (mail: Mail) =>
		transport.sendMail(mail).then(
			() => null,
			(error: unknown) => ({ error }),
		);
	const deliver = async (mail: Mail) => {
		const { subject } = mail;
		let failure = await attempt(mail);
		for (const delay of retryDelaysMs) {
			if (!failure || isFinal(failure.error) || stopping.signal.aborted) break;
			noteMail("retried");
			log.warn({ err: failure.error, subject }, "a mail could not be sent yet");
			// A server that stops does not wait, but tries a last time.
			await sleep(delay, null, { signal: stopping.signal }).catch(() => {});
			failure = await attempt(mail);
		}
		noteMail(failure ? "failed" : "sent");
		if (failure) log.error({ err: failure.error, subject }, "a mail could not be sent");
		else log.debug({ to: mail.to, subject }, "mail sent");
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
			stopping.abort();
			await Promise.race([Promise.all(underWay), patience()]);
			transport.close();
		},
	};
}

/** A mail server that refuses for good will do so again (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1). */
function isFinal(error: unknown): boolean {
	const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
	return code >= 500;
}

const patience = () => sleep(patienceMs, undefined, { ref: false });

/** The address with connections that are kept, and with limits where the address sets none. */
function pooled(url: string): string {
	const parsed = new URL(url);
	const defaults = { pool: "true", connectionTimeout: "10000", socketTimeout: "30000" };
	for (const [name, value] of Object.entries(defaults)) {
		if (!parsed.searchParams.has(name)) parsed.searchParams.set(name, value);
	}
	return parsed.href;
}
