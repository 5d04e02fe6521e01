import { expect, it } from "vitest";
import { findGroupsWithRoles } from "../../src/scim/group-role-store";

it("finds a group among any number of groups with a name that MySQL takes for the same", async () => {
	const similar = Array.from({ length: 2500 }, (_, n) => ({ id: `a${n}`, displayName: "admins" }));
	const group = { id: "b", displayName: "Admins" };
	const all = [...similar, group];
	const findMany = async ({ limit = 0, offset = 0 }) => all.slice(offset, offset + limit);
	const found = await findGroupsWithRoles({ findMany: findMany as never }, { Admins: "admin" });
	expect(found).toEqual([group]);
});
