import type { RunningService } from "../running-service";
import { GROUP, patch, person, scimTenant } from "./scim-tenant";

/** A tenant whose directory has sent people, by their names. */
export async function directoryOf(service: RunningService, names: string[]) {
	const tenant = await scimTenant(service);
	const { scim, manage, users, audit } = tenant;
	const ids = new Map<string, string>();
	for (const name of names) {
		const { body } = await scim("POST", "/Users", person(`${name}@example.com`));
		ids.set(name, body.id);
	}
	const idOf = (name: string) => ids.get(name) ?? "none";
	const membersOf = (list: string[]) => list.map((name) => ({ value: idOf(name) }));
	const group = (displayName: string, members: string[] = []) => ({
		schemas: [GROUP],
		displayName,
		members: membersOf(members),
	});
	const pushGroup = async (displayName: string, members: string[] = []): Promise<string> =>
		(await scim("POST", "/Groups", group(displayName, members))).body.id;
	const setRoles = (roles: Record<string, string>, headers?: Record<string, string>) =>
		manage("/tenant/scim/set-roles", { roles }, headers);
	const userOf = async (name: string) =>
		(await users()).find(({ email }) => email === `${name}@example.com`);
	const roleOf = async (name: string): Promise<string> =>
		(await userOf(name))?.tenantRole ?? "member";
	const giveRole = async (name: string, role: string) =>
		manage("/tenant/user/update", { userId: (await userOf(name)).id, role });
	/** What the audit log says about mapped roles, oldest first. */
	const mapped = async () =>
		(await audit())
			.filter(({ action }) => action === "user:map-role")
			.map(({ detail, actor }) => [detail.before, detail.role, actor.name])
			.reverse();
	const add = (...list: string[]) => patch({ op: "add", path: "members", value: membersOf(list) });
	return {
		...tenant,
		...{ idOf, membersOf, group, pushGroup, setRoles, roleOf, giveRole, mapped, add },
	};
}
