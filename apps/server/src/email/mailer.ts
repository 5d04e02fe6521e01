import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Log } from "../monitoring/log";
import type { EmailOutcome } from "../monitoring/metrics";
import type { Settings } from "../settings/settings";
import type { Email } from "./email-template";

export type Mailer = {
	/**
	 * Sends in the background and never throws. Neither an error nor the response time may tell a caller
	 * whether the recipient exists. A promise of `null` sends nothing.
	 */
	send: (email: Email | Promise<Email | null>) => void;
	/**
	 * Sends one email to see whether that works, and waits for it.
	 *
	 * @throws the error of the SMTP server or of the connection to it
	 */
	sendAndWait: (email: Email) => Promise<void>;
	/** The emails that were kept instead of sent; `null` with SMTP. */
	outbox: Outbox | null;
	/** Waits a few seconds for emails that are being sent. */
	close: () => Promise<void>;
};

type OnOutcome = (outcome: EmailOutcome) => void;

export function createMailer(
	{ smtpUrl, from }: Settings["email"],
	log: Log,
	onOutcome: OnOutcome,
): Mailer {
	return smtpUrl ? smtpMailer({ url: smtpUrl, from, log, onOutcome }) : outboxMailer(log);
}

export type KeptEmail = Email & { id: number; sentAt: Date };

const MAX_KEPT_EMAILS = 100;

/** Keeps emails in memory if there is no SMTP server, newest first. */
export class Outbox {
	#emails: KeptEmail[] = [];
	#count = 0;
	#adding: Promise<void> = Promise.resolve();

	/** Keeps the order of the calls, however long an email takes. */
	add(email: Email | Promise<Email | null>): Promise<void> {
		const added = Promise.all([email, this.#adding]).then(([ready]) => {
			if (ready) this.#keep(ready);
		});
		this.#adding = added.catch(() => {});
		return added;
	}

	#keep(email: Email): void {
		this.#count += 1;
		const kept = { id: this.#count, sentAt: new Date(), ...email };
		this.#emails = [kept, ...this.#emails].slice(0, MAX_KEPT_EMAILS);
	}

	async list(): Promise<KeptEmail[]> {
		await this.#adding;
		return this.#emails;
	}
}

function outboxMailer(log: Log): Mailer {
	const outbox = new Outbox();
	return {
		send: (email) => {
			outbox.add(email).then(
				() => log.debug("email kept in the outbox"),
				(error: unknown) => log.error({ err: error }, "email could not be made"),
			);
		},
		sendAndWait: (email) => outbox.add(email),
		outbox,
		close: async () => void (await outbox.list()),
	};
}

export type SmtpConfig = {
	url: string;
	from: string;
	log: Log;
	onOutcome: OnOutcome;
	/** How long to wait before each retry. */
	retryDelaysMs?: number[];
};

/** Limits the memory that is used while the SMTP server does not respond. */
const MAX_PENDING_EMAILS = 1000;
const CLOSE_TIMEOUT_MS = 5000;
/** About three minutes, enough for an SMTP server to restart. Later the user has requested a new email. */
const RETRY_DELAYS_MS = [1000, 5000, 30_000, 120_000];

export function smtpMailer(config: SmtpConfig): Mailer {
	const { url, from, log, onOutcome, retryDelaysMs = RETRY_DELAYS_MS } = config;
	const transport = createTransport(withConnectionOptions(url), { from });
	const pending = new Set<Promise<void>>();
	const stopping = new AbortController();

	const attempt = (email: Email) =>
		transport.sendMail(email).then(
			() => null,
			(error: unknown) => ({ error }),
		);
	const deliver = async (given: Email | Promise<Email | null>) => {
		const email = await given;
		if (!email) return;
		const { subject } = email;
		let failure = await attempt(email);
		for (const delay of retryDelaysMs) {
			if (!failure || isPermanent(failure.error) || stopping.signal.aborted) break;
			onOutcome("retried");
			log.warn({ err: failure.error, subject }, "email could not be sent, retrying");
			// A stopping server does not wait, but tries one last time.
			await sleep(delay, null, { signal: stopping.signal }).catch(() => {});
			failure = await attempt(email);
		}
		onOutcome(failure ? "failed" : "sent");
		if (failure) log.error({ err: failure.error, subject }, "email could not be sent");
		else log.debug({ to: email.to, subject }, "email sent");
	};
	return {
		send: (email) => {
			if (pending.size >= MAX_PENDING_EMAILS) {
				onOutcome("failed");
				log.error("email dropped: too many emails are waiting");
				Promise.resolve(email).catch(() => {});
				return;
			}
			const delivery = deliver(email)
				.catch((error: unknown) => {
					onOutcome("failed");
					log.error({ err: error }, "email could not be made");
				})
				.finally(() => pending.delete(delivery));
			pending.add(delivery);
		},
		sendAndWait: async (email) => {
			await transport.sendMail(email);
			onOutcome("sent");
		},
		outbox: null,
		close: async () => {
			stopping.abort();
			const timeout = sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false });
			await Promise.race([Promise.all(pending), timeout]);
			transport.close();
		},
	};
}

export const testEmail = (to: string): Email => {
	const text =
		"This is a test. Your authentication server can send emails, and they arrive at this address.";
	return { to, subject: "Test of your authentication server", text, html: `<p>${text}</p>` };
};

/**
 * Connects to the SMTP server and signs in there. Sends nothing.
 *
 * @throws the error of the SMTP server or of the connection to it
 */
export async function checkSmtp(url: string): Promise<void> {
	const parsed = new URL(withConnectionOptions(url));
	parsed.searchParams.set("pool", "false");
	const transport = createTransport(parsed.href);
	try {
		await transport.verify();
	} finally {
		transport.close();
	}
}

/** Why an email could not be sent: the reply of the SMTP server, or the error of the connection. */
export function smtpReason(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const { response } = error as Error & { response?: unknown };
	const text = typeof response === "string" ? response : error.message || error.name;
	return text.replace(/\s+/g, " ").slice(0, 300);
}

/** A retry would fail in the same way (https://www.rfc-editor.org/rfc/rfc5321#section-4.2.1). */
function isPermanent(error: unknown): boolean {
	const code = error instanceof Error && "responseCode" in error ? Number(error.responseCode) : 0;
	return code >= 500;
}

/** Adds a connection pool and timeouts, unless the URL sets them. */
function withConnectionOptions(url: string): string {
	const parsed = new URL(url);
	const defaults = { pool: "true", connectionTimeout: "10000", socketTimeout: "30000" };
	for (const [name, value] of Object.entries(defaults)) {
		if (!parsed.searchParams.has(name)) parsed.searchParams.set(name, value);
	}
	return parsed.href;
}
