import type { Auth } from "../../auth";
import type { Operator } from "../../operators/operator-store";
import type { Role } from "../../operators/permissions";
import { requireConfirmation } from "../input";
import { parseRole } from "../operator-role";
import { count, Failure, type OutputOptions, printResult, table } from "../output";
import { withAuth } from "../with-auth";

type CreateOptions = OutputOptions & { role: Role; name?: string; replace?: boolean };

export async function create(email: string, options: CreateOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const { role, name, replace = false } = options;
		const body = { email, role, replace, ...(name && { name }) };
		printLink(options, await api.createOperator({ body }));
	});
}

export async function list(options: OutputOptions): Promise<void> {
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

export async function changeRole(
	email: string,
	text: string,
	options: OutputOptions,
): Promise<void> {
	const role = parseRole(text);
	await withAuth(async (auth) => {
		const { id } = await requireOperator(auth, email);
		const updated = await auth.api.updateOperator({ body: { userId: id, role } });
		printResult(options, updated, () => `${updated.email} is now ${role}.`);
	});
}

type ConfirmedOptions = OutputOptions & { yes?: boolean };

export async function reset(email: string, options: ConfirmedOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { id, email: found } = await requireOperator(auth, email);
		const warning = `This takes away the password, passkeys, second factor and sessions of ${found}.`;
		await requireConfirmation(options, warning, found);
		printLink(options, await auth.api.resetOperator({ body: { userId: id } }));
	});
}

export async function remove(email: string, options: ConfirmedOptions): Promise<void> {
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
