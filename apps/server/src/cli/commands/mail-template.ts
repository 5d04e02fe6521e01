import { type Command, InvalidArgumentError } from "commander";
import { MAIL_KINDS } from "../../email/templates/mail-kinds";
import { LANGUAGES } from "../../languages";
import { lazily } from "../lazily";

const actions = () => import("../actions/mail-template");

export function addMailTemplate(mail: Command): void {
	const template = mail
		.command("template")
		.description("list, show, set and reset the texts of emails, of one tenant or of all");
	template
		.command("list")
		.description("list the emails and languages, and whose text is used")
		.option("--tenant <tenant>", ofTenant)
		.option("--json", "print them with their texts as JSON")
		.action(lazily(actions, "list"));
	ofOneText(template.command("show"))
		.description("show a text")
		.option("--json", "print it as JSON")
		.action(lazily(actions, "show"));
	ofOneText(template.command("set"))
		.description("change a text; what is left out stays")
		.option("--subject <text>", "the subject")
		.option("--button <text>", "the label of the button")
		.option("--text-file <file>", "a file with the text, or - for standard input")
		.option("--json", "print the text as JSON")
		.action(lazily(actions, "set"));
	ofOneText(template.command("reset"))
		.description("delete a changed text, so that the next one is used")
		.option("--json", "print the text that is used now as JSON")
		.action(lazily(actions, "reset"));
}

const ofTenant = "of this tenant, by slug or id (default: for all tenants)";

/** One text of an email, and whose. */
const ofOneText = (command: Command) =>
	command
		.argument("<kind>", MAIL_KINDS.join(", "), oneOf(MAIL_KINDS))
		.argument("<language>", LANGUAGES.join(", "), oneOf(LANGUAGES))
		.option("--tenant <tenant>", ofTenant);

const oneOf =
	<Name extends string>(names: readonly Name[]) =>
	(text: string): Name => {
		const found = names.find((name) => name === text);
		if (found) return found;
		throw new InvalidArgumentError(`Use one of ${names.join(", ")}.`);
	};
