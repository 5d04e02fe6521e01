import { createMailer, smtpReason, testEmail } from "../../email/mailer";
import { readConfiguration } from "../configuration";
import { Failure, type OutputOptions, printResult } from "../output";

export async function test(address: string, options: OutputOptions): Promise<void> {
	const { config, log } = readConfiguration();
	const { email } = config.settings;
	if (!email.smtpUrl) {
		throw new Failure("SMTP_URL is not set, so no email can be sent.", {
			code: "MAIL_NOT_CONFIGURED",
		});
	}
	const mailer = createMailer(email, log, () => {});
	try {
		await mailer.sendAndWait(testEmail(address));
	} catch (error) {
		throw new Failure(`The email was not sent: ${smtpReason(error)}.`, { code: "MAIL_NOT_SENT" });
	} finally {
		await mailer.close();
	}
	printResult(
		options,
		{ sent: { to: address, from: email.from } },
		() => `The SMTP server has accepted an email from ${email.from} to ${address}.`,
	);
}
