import type { Command } from "commander";
import { parseInteger } from "../input";
import { count, type OutputOptions, printResult, SEARCH_LIMITED, table } from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addUser(program: Command): void {
	program
		.command("user")
		.description("list users")
		.command("list <tenant>")
		.description("list the users of a tenant, newest first")
		.option("--search <text>", "only users whose name or email contains the text")
		.option("--limit <number>", "maximum number of users", parseInteger, 100)
		.option("--offset <number>", "number of users to skip", parseInteger, 0)
		.option("--json", "print { total, searchLimited, users } as JSON")
		.action(list);
}

type Options = OutputOptions & { search?: string; limit: number; offset: number };

async function list(slugOrId: string, options: Options): Promise<void> {
	await withAuth(async (auth) => {
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const { limit, offset, search } = options;
		const { response: users, headers } = await auth.api.listTenantUsers({
			query: { tenantId, limit, offset, ...(search && { search }) },
			returnHeaders: true,
		});
		const total = Number(headers.get("x-total-count"));
		const { searchLimited } = users;
		printResult(options, { total, searchLimited, users }, () => {
			const rows = users.map(({ email, name, id, createdAt, emailVerified }) => [
				email,
				name,
				id,
				createdAt.toISOString().slice(0, 10),
				emailVerified ? "" : "not verified",
			]);
			const shown = `${users.length} of ${count(total, "user")}`;
			const listed = `${table(["EMAIL", "NAME", "ID", "CREATED", ""], rows)}\n\n${shown}`;
			return searchLimited ? `${listed}\n${SEARCH_LIMITED}` : listed;
		});
	});
}
