import type { Command } from "commander";
import { parseInteger } from "../input";
import {
	count,
	listing,
	type OutputOptions,
	printResult,
	SEARCH_LIMITED,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addUser(program: Command): void {
	const user = program.command("user").description("list users, and their metadata");
	user
		.command("metadata <tenant> <user-id>")
		.description("show what a tenant and a user have stored about the user, or replace it")
		.option("--set <json>", "replace the metadata, which users cannot change")
		.option("--set-preferences <json>", "replace the preferences, which users can change")
		.option("--json", "print { metadata, preferences } as JSON")
		.action(metadata);
	user
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

type MetadataOptions = OutputOptions & { set?: string; setPreferences?: string };

async function metadata(slugOrId: string, userId: string, options: MetadataOptions): Promise<void> {
	const changes = {
		...(options.set === undefined ? {} : { metadata: readObject("--set", options.set) }),
		...(options.setPreferences === undefined
			? {}
			: { preferences: readObject("--set-preferences", options.setPreferences) }),
	};
	await withAuth(async (auth) => {
		const { api } = auth;
		const { id: tenantId } = await requireTenant(auth, slugOrId);
		const stored =
			Object.keys(changes).length > 0
				? await api.updateTenantUserMetadata({ body: { tenantId, userId, ...changes } })
				: await api.getTenantUserMetadata({ query: { tenantId, userId } });
		printResult(options, stored, () =>
			listing({
				metadata: JSON.stringify(stored.metadata),
				preferences: JSON.stringify(stored.preferences),
			}),
		);
	});
}

/** The endpoint checks what is in it. */
function readObject(option: string, text: string): Record<string, unknown> {
	try {
		return JSON.parse(text);
	} catch {
		throw wrongUsage(`${option} must be JSON such as {"department":"Sales"}`);
	}
}
