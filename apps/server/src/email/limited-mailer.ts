import type { Log } from "../monitoring/log";
import type { EmailLimits, EmailSource } from "../rate-limits/email-limits";
import type { Email } from "./email-template";
import type { Mailer } from "./mailer";

/** The only way to send an email that a request causes. */
export type LimitedMailer = {
	/**
	 * Sends in the background and never throws. Neither an error nor the response time may tell a caller
	 * whether the recipient exists: an email over a limit is not sent, and only the log says so.
	 */
	send: (source: EmailSource, make: () => Email | Promise<Email>) => void;
	/**
	 * For callers who may know that the recipient exists. Sends in the background.
	 *
	 * @throws APIError `TOO_MANY_REQUESTS`
	 */
	sendOrRefuse: (source: EmailSource, make: () => Email) => Promise<void>;
	/**
	 * Before a change whose email would not be sent. It counts nothing.
	 *
	 * @throws APIError `TOO_MANY_REQUESTS`
	 */
	requireSendable: (source: EmailSource) => Promise<void>;
	/**
	 * Sends one email to see whether that works, and waits for it.
	 *
	 * @throws APIError `TOO_MANY_REQUESTS`, or the error of the SMTP server or of the connection to it
	 */
	sendAndWait: (source: EmailSource, make: () => Email) => Promise<void>;
};

export function limitedMailer(
	mailer: Pick<Mailer, "send" | "sendAndWait">,
	limits: EmailLimits,
	log: Pick<Log, "warn">,
): LimitedMailer {
	const requireAllowed = async (source: EmailSource) => {
		const refusal = await limits.count(source);
		if (refusal) throw refusal;
	};
	return {
		send: (source, make) =>
			mailer.send(
				limits.count(source).then((refusal) => {
					if (!refusal) return make();
					const { kind, tenantId } = source;
					log.warn(
						{ kind, tenantId },
						"email not sent: too many to this address, or of this tenant",
					);
					return null;
				}),
			),
		sendOrRefuse: async (source, make) => {
			await requireAllowed(source);
			mailer.send(make());
		},
		requireSendable: async (source) => {
			const refusal = await limits.findRefusal(source);
			if (refusal) throw refusal;
		},
		sendAndWait: async (source, make) => {
			await requireAllowed(source);
			await mailer.sendAndWait(make());
		},
	};
}
