import type { Auth } from "../../auth";
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

type Options = OutputOptions & { tenant: string };

export async function create(
	name: string,
	options: Options & { expiresIn?: number },
): Promise<void> {
	await withScim(options, async (api, tenantId) => {
		const { expiresIn } = options;
		const created = await api.createTenantScimToken({
			body: { tenantId, name, ...(expiresIn && { expiresInDays: expiresIn }) },
		});
		printNote(options, "This is the only time that the token is shown:");
		printResult(options, created, () => created.token);
	});
}

export async function show(options: Options): Promise<void> {
	await withScim(options, async (api, tenantId) => {
		const found = await api.getTenantScim({ query: { tenantId } });
		printResult(options, found, () => {
			const { url, users, groups, roles, tokens } = found;
			const rows = tokens.map((token) => [
				token.id,
				token.name,
				token.role,
				token.expiresAt.toISOString(),
				token.lastUsedAt?.toISOString() ?? "never",
			]);
			const list = table(["ID", "NAME", "ROLE", "EXPIRES", "LAST USED"], rows);
			const lines = Object.entries(roles).map(([group, role]) => `${group} = ${role}`);
			return [
				listing({ url, users, groups, roles: lines.join(", ") || "none" }),
				rows.length > 0 ? list : "There are no tokens.",
			].join("\n");
		});
	});
}

export async function revoke(id: string, options: Options & { yes?: boolean }): Promise<void> {
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

export async function setRoles(
	given: string[],
	options: Options & { yes?: boolean },
): Promise<void> {
	const entries = given.map(parseRole);
	const roles = Object.fromEntries(entries);
	if (Object.keys(roles).length < entries.length) throw wrongUsage("A group is there twice.");
	await withScim(options, async (api, tenantId) => {
		const warning = "Members of groups get and lose roles at once.";
		await requireConfirmation(options, warning, options.tenant);
		const saved = await api.setTenantScimRoles({ body: { tenantId, roles } });
		const { unknownGroups } = saved;
		if (unknownGroups.length > 0) {
			printNote(options, `The directory has not sent: ${unknownGroups.join(", ")}`);
		}
		printResult(options, saved, () => `Saved the roles of ${given.length} groups.`);
	});
}

/** A group may have the sign in its name. */
function parseRole(text: string): [group: string, role: string] {
	const at = text.lastIndexOf("=");
	const [group, role] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
	if (group !== "" && role !== "") return [group, role];
	throw wrongUsage(
		`${JSON.stringify(text)} is not a group and a role, such as "App Admins=admin".`,
	);
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
