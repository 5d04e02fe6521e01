import { type Instance, type InstanceOptions, makeInstance } from "./instance";

/** A signed-in user of a tenant. */
export interface Person {
	id: string;
	email: string;
	cookie: string;
	token: string;
}

/** Signs up a user of a tenant, and gives them a role. */
export async function addPerson(
	{ signUp, db }: Pick<Instance, "signUp" | "db">,
	tenantId: string,
	role: string | null,
	email = `${role?.match(/^\w+$/)?.[0] ?? "plain"}-${Math.random().toString(36).slice(2, 10)}@example.com`,
): Promise<Person> {
	const { body, cookie } = await signUp(tenantId, email);
	const { id } = body.user;
	await db.updateTable("user").set({ tenantRole: role }).where("id", "=", id).execute();
	return { id, email, cookie, token: body.token };
}

/** A tenant with an owner, an admin and a member, and another tenant with an owner. */
export async function makePeople(options: InstanceOptions = {}) {
	const app = await makeInstance(options);
	const [tenantId, otherTenantId] = [await app.makeTenant(), await app.makeTenant()];
	const add = (role: string | null, of = tenantId) => addPerson(app, of, role);
	const [owner, admin, member] = [await add("owner"), await add("admin"), await add("member")];
	const stranger = await add("owner", otherTenantId);
	/** The user as the database has it. */
	const read = async ({ id }: Pick<Person, "id">) =>
		app.db.selectFrom("user").selectAll().where("id", "=", id).executeTakeFirst();
	return { ...app, tenantId, otherTenantId, add, read, owner, admin, member, stranger };
}
