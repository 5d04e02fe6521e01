/** A group and its role in each line, as people edit them. */
export const toRoleLines = (roles: Record<string, string>): string =>
	Object.entries(roles)
		.map(([group, role]) => `${group} = ${role}`)
		.join("\n");

/** A group may have the sign in its name. */
const roleOfLine = (line: string): [group: string, role: string] => {
	const at = line.lastIndexOf("=");
	return [line.slice(0, Math.max(at, 0)).trim(), line.slice(at + 1).trim()];
};

const entriesIn = (lines: string) =>
	lines
		.split("\n")
		.filter((line) => line.trim() !== "")
		.map(roleOfLine);

export const rolesIn = (lines: string): Record<string, string> =>
	Object.fromEntries(entriesIn(lines));

export function findRoleLinesProblem(lines: string): string | undefined {
	const entries = entriesIn(lines);
	if (entries.some(([group, role]) => group === "" || role === "")) {
		return "Each line needs a group and a role, such as: App Admins = admin";
	}
	const groups = entries.map(([group]) => group);
	const twice = groups.find((group, index) => groups.indexOf(group) < index);
	return twice === undefined ? undefined : `There are two lines for ${twice}`;
}
