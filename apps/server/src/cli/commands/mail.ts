import type { Command } from "commander";
import { createMailer, smtpReason, testEmail } from "../../email/mailer";
import { readConfiguration } from "../configuration";
import { Failure, type OutputOptions, printResult } from "../output";
import { addMailTemplate } from "./mail-template";

export function addMail(program: Command): void {
	const mail = program
		.command("mail")
		.description("check that emails can be sent, and change their texts");
	mail
		.command("test <address>")
		.description("send a test email to an address, and print what went wrong if it fails")
		.option("--json", "print { sent } as JSON")
		.action(test);
	addMailTemplate(mail);
}

async function test(address: string, options: OutputOptions): Promise<void> {
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
