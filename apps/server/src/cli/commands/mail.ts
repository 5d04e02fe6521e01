import type { Command } from "commander";
import { lazily } from "../lazily";
import { addMailTemplate } from "./mail-template";

const actions = () => import("../actions/mail");

export function addMail(program: Command): void {
	const mail = program
		.command("mail")
		.description("check that emails can be sent, and change their texts");
	mail
		.command("test <address>")
		.description("send a test email to an address, and print what went wrong if it fails")
		.option("--json", "print { sent } as JSON")
		.action(lazily(actions, "test"));
	addMailTemplate(mail);
}
