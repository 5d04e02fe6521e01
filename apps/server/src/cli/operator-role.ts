import { ROLES, type Role } from "../operators/permissions";
import { wrongUsage } from "./output";

export function parseRole(text: string): Role {
	const role = ROLES.find((one) => one === text);
	if (role) return role;
	throw wrongUsage(`${JSON.stringify(text)} is not a role. Use ${ROLES.join(", ")}.`);
}
