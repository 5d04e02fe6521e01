import type { Command } from "commander";
import type { Auth } from "../../auth";
import type { Operator } from "../../operators/operator-store";
import { ROLES, type Role } from "../../operators/permissions";
import { requireConfirmation } from "../input";
import { count, Failure, type OutputOptions, printResult, table, wrongUsage } from "../output";
import { withAuth } from "../with-auth";

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
		.action(create);
	operator
		.command("list")
		.description("list the operators")
		.option("--json", "print them as JSON")
		.action(list);
	operator
		.command("role <email> <role>")
		.description(`change the role: ${ROLES.join(", ")}`)
		.option("--json", "print the operator as JSON")
		.action(changeRole);
	operator
		.command("reset <email>")
		.description(
			"take away the password, passkeys, second factor and sessions of an operator, and print a new link",
		)
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { operator, url, expiresAt } as JSON")
		.action(reset);
	operator
		.command("remove <email>")
		.description("remove an operator with the account and all sessions")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { removed } as JSON")
		.action(remove);
}

function parseRole(text: string): Role {
	const role = ROLES.find((one) => one === text);
	if (role) return role;
	throw wrongUsage(`${JSON.stringify(text)} is not a role. Use ${ROLES.join(", ")}.`);
}

type CreateOptions = OutputOptions & { role: Role; name?: string; replace?: boolean };

async function create(email: string, options: CreateOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { role, name, replace = false } = options;
		const body = { email, role, replace, ...(name && { name }) };
		printLink(options, await api.createOperator({ body }));
	});
}

async function list(options: OutputOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const operators = await api.listOperators();
		printResult(options, operators, () => {
			if (operators.length === 0) return "There are no operators.";
			const rows = operators.map((one) => [
				one.email,
				one.name,
				one.role,
				one.secondFactor ? "yes" : "no",
				one.lastUsedAt?.toISOString() ?? "never",
				stateOf(one),
			]);
			const shown = table(["EMAIL", "NAME", "ROLE", "SECOND FACTOR", "LAST USED", ""], rows);
			return `${shown}\n\n${count(operators.length, "operator")}`;
		});
	});
}

const stateOf = ({ pending, fromSettings }: Operator) => {
	if (fromSettings) return "from ADMIN_USER_IDS";
	return pending ? "invited" : "";
};

async function changeRole(email: string, text: string, options: OutputOptions): Promise<void> {
	const role = parseRole(text);
	await withAuth(async (auth) => {
		const { id } = await requireOperator(auth, email);
		const updated = await auth.api.updateOperator({ body: { userId: id, role } });
		printResult(options, updated, () => `${updated.email} is now ${role}.`);
	});
}

type ConfirmedOptions = OutputOptions & { yes?: boolean };

async function reset(email: string, options: ConfirmedOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id, email: found } = await requireOperator(auth, email);
		const warning = `This takes away the password, passkeys, second factor and sessions of ${found}.`;
		await requireConfirmation(options, warning, found);
		printLink(options, await auth.api.resetOperator({ body: { userId: id } }));
	});
}

async function remove(email: string, options: ConfirmedOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id, email: found } = await requireOperator(auth, email);
		await requireConfirmation(options, `This removes ${found} with the account.`, found);
		await auth.api.removeOperator({ body: { userId: id } });
		printResult(options, { removed: { id, email: found } }, () => `Removed ${found}.`);
	});
}

async function requireOperator({ api }: Auth, email: string): Promise<Operator> {
	const found = (await api.listOperators()).find((one) => one.email === email.toLowerCase());
	if (found) return found;
	throw new Failure(`There is no operator ${email}.`, { code: "OPERATOR_NOT_FOUND" });
}

type Link = Awaited<ReturnType<Auth["api"]["createOperator"]>>;

function printLink(options: OutputOptions, link: Link): void {
	printResult(options, link, () =>
		[
			`${link.operator.email} (${link.operator.role}) chooses a password here. The link works once, until ${link.expiresAt.toISOString()}:`,
			"",
			link.url,
		].join("\n"),
	);
}
