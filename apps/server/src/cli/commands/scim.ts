import type { Command } from "commander";
import type { Auth } from "../../auth";
import { MAX_TOKEN_DAYS } from "../../scim/token";
import { requireConfirmation } from "../input";
import {
	Failure,
	listing,
	type OutputOptions,
	printNote,
	printResult,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addScim(program: Command): void {
	const scim = program
		.command("scim")
		.description("manage the tokens with which a directory manages the users of a tenant");
	const add = (usage: string, description: string, json: string) =>
		scim
			.command(usage)
			.description(description)
			.requiredOption("--tenant <tenant>", "the tenant, by slug or id")
			.option("--json", json);
	add(
		"create-token <name>",
		"create a token and print it, which is possible only once",
		"print it as JSON",
	)
		.option("--expires-in <days>", "after how many days it expires (default: 365)", parseDays)
		.action(create);
	add("show", "show the URL for the directory, and the tokens", "print them as JSON").action(show);
	add("revoke-token <id>", "revoke a token; the users stay", "print { revoked } as JSON")
		.option("--yes", "do not ask for confirmation")
		.action(revoke);
}

function parseDays(text: string): number {
	const days = Number(text);
	if (/^\d{1,4}$/.test(text) && days > 0 && days <= MAX_TOKEN_DAYS) return days;
	throw wrongUsage(`${JSON.stringify(text)} is not a number of days up to ${MAX_TOKEN_DAYS}.`);
}

type Options = OutputOptions & { tenant: string };

async function create(name: string, options: Options & { expiresIn?: number }): Promise<void> {
	await withScim(options, async (api, tenantId) => {
		const { expiresIn } = options;
		const created = await api.createTenantScimToken({
			body: { tenantId, name, ...(expiresIn && { expiresInDays: expiresIn }) },
		});
		printNote(options, "This is the only time that the token is shown:");
		printResult(options, created, () => created.token);
	});
}

async function show(options: Options): Promise<void> {
	await withScim(options, async (api, tenantId) => {
		const found = await api.getTenantScim({ query: { tenantId } });
		printResult(options, found, () => {
			const { url, users, groups, tokens } = found;
			const rows = tokens.map((token) => [
				token.id,
				token.name,
				token.role,
				token.expiresAt.toISOString(),
				token.lastUsedAt?.toISOString() ?? "never",
			]);
			const list = table(["ID", "NAME", "ROLE", "EXPIRES", "LAST USED"], rows);
			return `${listing({ url, users, groups })}\n${rows.length > 0 ? list : "There are no tokens."}`;
		});
	});
}

async function revoke(id: string, options: Options & { yes?: boolean }): Promise<void> {
	await withScim(options, async (api, tenantId) => {
		const { tokens } = await api.getTenantScim({ query: { tenantId } });
		const found = tokens.find((token) => token.id === id);
		if (!found) throw new Failure(`There is no token ${id}.`, { code: "SCIM_TOKEN_NOT_FOUND" });
		const { name } = found;
		await requireConfirmation(options, `This revokes the token ${name} at once.`, name);
		await api.revokeTenantScimToken({ body: { tenantId, id } });
		printResult(options, { revoked: { id, name } }, () => `Revoked ${name} (${id}).`);
	});
}

async function withScim(
	{ tenant }: Options,
	work: (api: Auth["api"], tenantId: string) => Promise<void>,
): Promise<void> {
	await withAuth(async (auth, { settings }) => {
		if (!settings.scim) {
			throw new Failure("SCIM is off. Set SCIM=true, also for the server.", { code: "SCIM_OFF" });
		}
		await work(auth.api, (await requireTenant(auth, tenant)).id);
	});
}
