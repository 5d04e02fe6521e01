import type { Command } from "commander";
import type { Auth } from "../../auth";
import { requireConfirmation } from "../input";
import { Failure, type OutputOptions, printNote, printResult, table, wrongUsage } from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addKey(program: Command): void {
	const key = program.command("key").description("create, list and revoke the keys of programs");
	key
		.command("create <name>")
		.description("create a key and print it, which is possible only once")
		.requiredOption(
			"--scope <scope>",
			"operator, auditor, support, or an action such as tenant:get; repeat it for several",
			(scope: string, others: string[] = []) => [...others, scope],
		)
		.option("--tenant <tenant>", "the only tenant that it may manage, by slug or id")
		.option("--expires-in <days>", "after how many days it expires (default: never)", parseDays)
		.option("--json", "print the key and its properties as JSON")
		.action(create);
	key
		.command("list")
		.description("list the keys, newest first")
		.option("--json", "print them as JSON")
		.action(list);
	key
		.command("revoke <id>")
		.description("revoke a key; all servers refuse it at once")
		.option("--yes", "do not ask for confirmation")
		.option("--json", "print { revoked } as JSON")
		.action(revoke);
}

const DAY_MS = 24 * 60 * 60 * 1000;

function parseDays(text: string): number {
	const days = Number(text);
	if (/^\d{1,5}$/.test(text) && days > 0) return days;
	throw wrongUsage(`${JSON.stringify(text)} is not a number of days.`);
}

type CreateOptions = OutputOptions & { scope: string[]; tenant?: string; expiresIn?: number };

async function create(name: string, options: CreateOptions): Promise<void> {
	await withAuth(async (auth) => {
		const { scope: scopes, tenant, expiresIn } = options;
		const created = await auth.api.createOperatorKey({
			body: {
				name,
				scopes,
				...(tenant && { tenantId: (await requireTenant(auth, tenant)).id }),
				...(expiresIn && { expiresAt: new Date(Date.now() + expiresIn * DAY_MS) }),
			},
		});
		printNote(options, "This is the only time that the key is shown:");
		printResult(options, created, () => created.key);
	});
}

async function list(options: OutputOptions): Promise<void> {
	await withAuth(async ({ api }) => {
		const keys = await api.listOperatorKeys();
		printResult(options, keys, () => {
			if (keys.length === 0) return "There are no keys.";
			const rows = keys.map((key) => [
				key.id,
				key.name,
				`${key.start}…`,
				key.scopes.join(" "),
				key.tenantId ?? "all",
				key.expiresAt?.toISOString() ?? "never",
				key.lastUsedAt?.toISOString() ?? "never",
			]);
			return table(["ID", "NAME", "KEY", "SCOPES", "TENANT", "EXPIRES", "LAST USED"], rows);
		});
	});
}

async function revoke(id: string, options: OutputOptions & { yes?: boolean }): Promise<void> {
	await withAuth(async (auth) => {
		const { name } = await requireKey(auth, id);
		await requireConfirmation(options, `This revokes the key ${name} at once.`, name);
		await auth.api.revokeOperatorKey({ body: { id } });
		printResult(options, { revoked: { id, name } }, () => `Revoked ${name} (${id}).`);
	});
}

async function requireKey({ api }: Auth, id: string) {
	const found = (await api.listOperatorKeys()).find((key) => key.id === id);
	if (found) return found;
	throw new Failure(`There is no key ${id}.`, { code: "KEY_NOT_FOUND" });
}
