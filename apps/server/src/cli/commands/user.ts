import { type Command, Option } from "commander";
import { lazily } from "../lazily";
import { daysUpTo, parseInteger } from "../option-values";

const reading = () => import("../actions/user");
const access = () => import("../actions/user-access");
const creation = () => import("../actions/user-create");
const links = () => import("../actions/user-links");

const MAX_INVITATION_DAYS = 30;

export function addUser(program: Command): void {
	const user = program
		.command("user")
		.description(
			"create, invite, list, show, disable, enable and delete users, and reset their passwords",
		);
	user
		.command("create <tenant> <email>")
		.description(
			"create a user, whatever the rules for sign-up are; without a password, send a link with reset",
		)
		.option("--name <name>", "display name (default: the email up to the @)")
		.option("--role <role>", "owner, admin, member, or a role of TENANT_ROLES (default: member)")
		.option("--verified", "the user owns the email, and need not verify it")
		.addOption(
			new Option(
				"--password-stdin",
				"read the password from standard input, or ask for it at a terminal",
			).conflicts(["passwordEnv", "generatePassword"]),
		)
		.addOption(
			new Option("--password-env <name>", "environment variable with the password").conflicts(
				"generatePassword",
			),
		)
		.option("--generate-password", "generate a password and print it, which is possible only once")
		.option("--json", "print the user as JSON, with a generated password")
		.action(lazily(creation, "createUser"));
	user
		.command("invite <tenant> <email>")
		.description(
			"send an invitation by email; it replaces an older invitation of the same email, whose link then works no longer",
		)
		.option("--role <role>", "owner, admin, member, or a role of TENANT_ROLES", "member")
		.option(
			"--expires-in <days>",
			"after how many days it expires (default: 7)",
			daysUpTo(MAX_INVITATION_DAYS),
		)
		.option("--print-link", "send no email, but print the link")
		.option("--json", "print { invitation, url } as JSON")
		.action(lazily(links, "inviteUser"));
	user
		.command("reset <tenant> <user>")
		.description(
			"send a user, by id or email, the link to choose a new password; the current one works until then",
		)
		.option("--print-link", "send no email, but print the link")
		.option("--json", "print { user, url } as JSON")
		.action(lazily(links, "resetPassword"));
	user
		.command("disable <tenant> <user>")
		.description("end all sessions of a user, by id or email, who cannot sign in until enabled")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print the user as JSON")
		.action(lazily(access, "disableUser"));
	user
		.command("enable <tenant> <user>")
		.description("let a disabled user, by id or email, sign in again")
		.option("--json", "print the user as JSON")
		.action(lazily(access, "enableUser"));
	user
		.command("delete <tenant> <user>")
		.description("permanently delete a user, by id or email, with accounts and sessions")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { deleted } as JSON")
		.action(lazily(access, "deleteUser"));
	user
		.command("show <tenant> <user>")
		.description("show a user, by id or email, with sign-in methods and the number of sessions")
		.option("--json", "print { user, accounts, passkeys, sessions } as JSON")
		.action(lazily(reading, "showUser"));
	user
		.command("metadata <tenant> <user>")
		.description(
			"show what a tenant and a user, by id or email, have stored about the user, or replace it",
		)
		.option("--set <json>", "replace the metadata, which users cannot change")
		.option("--set-preferences <json>", "replace the preferences, which users can change")
		.option("--json", "print { metadata, preferences } as JSON")
		.action(lazily(reading, "userMetadata"));
	user
		.command("list <tenant>")
		.description("list the users of a tenant, newest first")
		.option("--search <text>", "only users whose name or email contains the text")
		.option("--limit <number>", "maximum number of users", parseInteger, 100)
		.option("--offset <number>", "number of users to skip", parseInteger, 0)
		.option("--json", "print { total, searchLimited, users } as JSON")
		.action(lazily(reading, "listUsers"));
}
