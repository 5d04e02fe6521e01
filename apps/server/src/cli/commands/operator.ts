import type { Command } from "commander";
import { ROLES } from "../../operators/permissions";
import { lazily } from "../lazily";
import { parseRole } from "../operator-role";

const actions = () => import("../actions/operator");

export function addOperator(program: Command): void {
	const operator = program
		.command("operator")
		.description("create, list, change and remove the people who may use the console");
	operator
		.command("create <email>")
		.description(
			"create an operator, and print a link to choose a password, which is valid for a day",
		)
		.requiredOption("--role <role>", ROLES.join(", "), parseRole)
		.option("--name <name>", "display name (default: the email up to the @)")
		.option("--replace", "delete a user of no tenant who has the same email first")
		.option("--json", "print { operator, url, expiresAt } as JSON")
		.action(lazily(actions, "create"));
	operator
		.command("list")
		.description("list the operators")
		.option("--json", "print them as JSON")
		.action(lazily(actions, "list"));
	operator
		.command("role <email> <role>")
		.description(`change the role: ${ROLES.join(", ")}`)
		.option("--json", "print the operator as JSON")
		.action(lazily(actions, "changeRole"));
	operator
		.command("reset <email>")
		.description(
			"take away the password, passkeys, second factor and sessions of an operator, and print a new link",
		)
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { operator, url, expiresAt } as JSON")
		.action(lazily(actions, "reset"));
	operator
		.command("remove <email>")
		.description("remove an operator with the account and all sessions")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { removed } as JSON")
		.action(lazily(actions, "remove"));
}
