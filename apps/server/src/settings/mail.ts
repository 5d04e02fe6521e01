import { StartError } from "../start-error";
import { parseUrl, type Read } from "./environment";

export type MailSettings = {
	/** `null` when mails are kept in the outbox instead. */
	smtpUrl: string | null;
	/** Who mails are from, with or without a name. */
	from: string;
};

const address = /^[^\s<>@"]+@[^\s<>@"]+$/;
const named = /^[^<>@\r\n]+<([^<>]+)>$/;

export function readMail(read: Read): MailSettings {
	const smtpUrl = read("SMTP_URL");
	const from = read("MAIL_FROM");
	if (smtpUrl !== null && !parseUrl(smtpUrl, "smtp:", "smtps:")) {
		throw new StartError("SMTP_URL must be an smtp:// or smtps:// address.");
	}
	if (smtpUrl !== null && from === null) {
		throw new StartError("MAIL_FROM must be set together with SMTP_URL.");
	}
	if (from !== null && !address.test(named.exec(from)?.[1] ?? from)) {
		throw new StartError(
			"MAIL_FROM must be a mail address such as login@example.com or Example <login@example.com>.",
		);
	}
	return { smtpUrl, from: from ?? "outbox@localhost" };
}
