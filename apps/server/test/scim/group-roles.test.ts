import { runAcrossTenants, runInTenant } from "better-auth-tenant";
import { describe, expect, test } from "vitest";
import { runningService, useService } from "../running-service";
import { directoryOf } from "./directory-of-people";
import { patch, person, scimTenant } from "./scim-tenant";

const service = useService({ SCIM: "true" });

const ADMINS = { "App Admins": "admin" };

describe("who joins and leaves a group with a role", () => {
	test("as Okta pushes groups", async () => {
		const { scim, idOf, membersOf, group, pushGroup, setRoles, roleOf, mapped, add } =
			await directoryOf(await service(), ["ada", "bob"]);
		const roles = async () => [await roleOf("ada"), await roleOf("bob")];
		expect((await setRoles(ADMINS)).body).toMatchObject({
			roles: ADMINS,
			unknownGroups: ["App Admins"],
		});
		const id = await pushGroup("App Admins");
		const send = async (body: object, method = "PATCH") =>
			expect((await scim(method, `/Groups/${id}`, body)).status).toBe(200);
		expect(await roles()).toEqual(["member", "member"]);
		await send(add("ada"));
		expect(await roles()).toEqual(["admin", "member"]);
		await send(patch({ op: "replace", path: "members", value: membersOf(["bob"]) }));
		expect(await roles()).toEqual(["member", "admin"]);
		await send(patch({ op: "remove", path: `members[value eq "${idOf("bob")}"]` }));
		expect(await roles()).toEqual(["member", "member"]);
		await send(group("App Admins", ["ada", "bob"]), "PUT");
		expect(await roles()).toEqual(["admin", "admin"]);
		await send(patch({ op: "replace", value: { id, displayName: "Others" } }));
		expect(await roles()).toEqual(["member", "member"]);
		await send(patch({ op: "replace", value: { id, displayName: "App Admins" } }));
		expect(await roles()).toEqual(["admin", "admin"]);
		await send(patch({ op: "remove", path: "members" }));
		expect(await roles()).toEqual(["member", "member"]);
		const events = await mapped();
		expect(events).toContainEqual(["member", "admin", "Okta"]);
		expect(events).toContainEqual(["admin", "member", "Okta"]);
		expect(events).toHaveLength(12);
	});

	test("as Entra ID sends it", async () => {
		const { scim, idOf, pushGroup, setRoles, roleOf } = await directoryOf(await service(), ["ada"]);
		const id = await pushGroup("Initial");
		await setRoles({ "App Admins": "admin" });
		const value = [{ $ref: null, value: idOf("ada") }];
		const send = async (...operations: object[]) =>
			expect((await scim("PATCH", `/Groups/${id}`, patch(...operations))).status).toBe(200);
		await send({ op: "Add", path: "members", value });
		expect(await roleOf("ada")).toBe("member");
		await send({ op: "Replace", path: "displayName", value: "App Admins" });
		expect(await roleOf("ada")).toBe("admin");
		await send({ op: "Remove", path: "members", value });
		expect(await roleOf("ada")).toBe("member");
		await send({ op: "Add", path: "members", value });
		expect(await roleOf("ada")).toBe("admin");
		expect((await scim("DELETE", `/Groups/${id}`)).status).toBe(204);
		expect(await roleOf("ada")).toBe("member");
	});

	test("a session has the role from then on", async () => {
		const { scim, setRoles, signUpAs, get, group } = await directoryOf(await service(), []);
		const ada = await signUpAs("member", "ada@example.com");
		const { body } = await scim("POST", "/Users", person("ada@example.com"));
		await setRoles(ADMINS);
		const list = async () => (await get("/tenant/user/list", ada.headers)).status;
		expect(await list()).toBe(403);
		const members = [{ value: body.id }];
		const made = await scim("POST", "/Groups", { ...group("App Admins"), members });
		expect(await list()).toBe(200);
		await scim("DELETE", `/Groups/${made.body.id}`);
		expect(await list()).toBe(403);
	});

	test("a new group has its members at once, and the first role that fits is used", async () => {
		const { pushGroup, setRoles, roleOf, scim } = await directoryOf(await service(), ["ada"]);
		await setRoles({ Contractors: "member", ...ADMINS });
		await pushGroup("App Admins", ["ada"]);
		expect(await roleOf("ada")).toBe("admin");
		const id = await pushGroup("Contractors", ["ada"]);
		expect(await roleOf("ada")).toBe("member");
		await scim("DELETE", `/Groups/${id}`);
		expect(await roleOf("ada")).toBe("admin");
	});

	test("somebody who is not active keeps the role of a group, and somebody who is deleted does not", async () => {
		const { scim, idOf, pushGroup, setRoles, roleOf, manage, users } = await directoryOf(
			await service(),
			["ada", "bob"],
		);
		await setRoles(ADMINS);
		await pushGroup("App Admins", ["ada", "bob"]);
		const setActive = (value: boolean) =>
			scim("PATCH", `/Users/${idOf("ada")}`, patch({ op: "replace", path: "active", value }));
		await setActive(false);
		expect(await roleOf("ada")).toBe("admin");
		await setActive(true);
		expect(await roleOf("ada")).toBe("admin");
		expect((await scim("DELETE", `/Users/${idOf("bob")}`)).status).toBe(204);
		const bob = (await users()).find(({ email }) => email === "bob@example.com");
		await manage("/tenant/user/enable", { userId: bob.id });
		expect(await roleOf("bob")).toBe("member");
	});

	test("a group has more members than a page of the database", async () => {
		const names = Array.from({ length: 105 }, (_, index) => `user${index}`);
		const { scim, pushGroup, setRoles, roleOf } = await directoryOf(await service(), names);
		const { backend } = await service();
		const countAdmins = async () => {
			const { adapter } = await backend.auth.$context;
			const where = [{ field: "tenantRole", value: "admin" }];
			return runAcrossTenants(() => adapter.count({ model: "user", where }));
		};
		const others = await countAdmins();
		await setRoles(ADMINS);
		const id = await pushGroup("App Admins", names);
		expect(await countAdmins()).toBe(others + 105);
		await setRoles({});
		expect(await countAdmins()).toBe(others);
		await setRoles(ADMINS);
		expect(await countAdmins()).toBe(others + 105);
		expect((await scim("DELETE", `/Groups/${id}`)).status).toBe(204);
		expect(await countAdmins()).toBe(others);
		expect(await roleOf("user104")).toBe("member");
	});
});

describe("the roles of groups", () => {
	test("reach all members at once when they are set, changed and removed", async () => {
		const { pushGroup, setRoles, roleOf, get, audit, mapped } = await directoryOf(await service(), [
			"ada",
			"bob",
		]);
		await pushGroup("App Admins", ["ada"]);
		await pushGroup("Staff", ["bob"]);
		const roles = async () => [await roleOf("ada"), await roleOf("bob")];
		expect(await setRoles(ADMINS)).toMatchObject({
			status: 200,
			body: { roles: ADMINS, unknownGroups: [], groups: 2 },
		});
		expect(await roles()).toEqual(["admin", "member"]);
		await setRoles({ Staff: "admin" });
		expect(await roles()).toEqual(["member", "admin"]);
		expect((await get("/tenant/scim/get")).body).toMatchObject({ roles: { Staff: "admin" } });
		await setRoles({});
		expect(await roles()).toEqual(["member", "member"]);
		const set = (await audit()).filter(({ action }) => action === "scim:set-roles");
		expect(set.map(({ detail }) => detail.roles)).toEqual([{}, { Staff: "admin" }, ADMINS]);
		expect(await mapped()).toHaveLength(4);
	});

	test("decide the role of their members, and leave the role of others", async () => {
		const { scim, idOf, pushGroup, setRoles, roleOf, giveRole, add } = await directoryOf(
			await service(),
			["ada", "bob"],
		);
		await giveRole("ada", "admin");
		await giveRole("bob", "admin");
		const id = await pushGroup("Staff");
		await setRoles({ Staff: "member" });
		expect([await roleOf("ada"), await roleOf("bob")]).toEqual(["admin", "admin"]);
		await scim("PATCH", `/Groups/${id}`, add("bob"));
		expect([await roleOf("ada"), await roleOf("bob")]).toEqual(["admin", "member"]);
		// Until the next change by the directory.
		await giveRole("bob", "admin");
		expect(await roleOf("bob")).toBe("admin");
		await scim("PUT", `/Users/${idOf("bob")}`, person("bob@example.com"));
		expect(await roleOf("bob")).toBe("member");
		// Somebody has given another role than the group did: it is not of the directory.
		await giveRole("bob", "admin");
		await scim("DELETE", `/Groups/${id}`);
		expect(await roleOf("bob")).toBe("admin");
	});

	test("make no owner, and end none", async () => {
		const { pushGroup, setRoles, roleOf, giveRole, scim, idOf } = await directoryOf(
			await service(),
			["ada"],
		);
		expect((await setRoles({ Staff: "owner" })).status).toBe(400);
		await giveRole("ada", "owner");
		await setRoles({ Staff: "member" });
		const id = await pushGroup("Staff", ["ada"]);
		expect(id).toEqual(expect.any(String));
		expect(await roleOf("ada")).toBe("owner");
		await scim("PUT", `/Users/${idOf("ada")}`, person("ada@example.com"));
		await scim("DELETE", `/Groups/${id}`);
		await setRoles({});
		expect(await roleOf("ada")).toBe("owner");
	});

	test.each([
		["an unknown role", { Staff: "editor" }],
		["a group without a name", { " ": "admin" }],
		["a name that not every database accepts", { "Staff\0": "admin" }],
		["half a character", { "Staff\ud800": "admin" }],
		[
			"too many groups",
			Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`g${n}`, "admin"])),
		],
		[
			"names that are too long",
			Object.fromEntries(
				Array.from({ length: 100 }, (_, n) => [`${n}${"ä".repeat(250)}`, "admin"]),
			),
		],
	])("are not saved with %s", async (_, roles) => {
		const { manage, get } = await scimTenant(await service());
		expect((await manage("/tenant/scim/set-roles", { roles })).status).toBe(400);
		expect((await get("/tenant/scim/get")).body.roles).toEqual({});
	});

	test("are set by an owner only, in the owner's tenant", async () => {
		const running = await service();
		const acme = await directoryOf(running, ["ada"]);
		const globex = await directoryOf(running, ["ada"]);
		const [owner, admin] = [await acme.signUpAs("owner"), await acme.signUpAs("admin")];
		await globex.pushGroup("App Admins", ["ada"]);
		await acme.pushGroup("App Admins", ["ada"]);
		const refused = await acme.setRoles(ADMINS, admin.headers);
		expect([refused.status, refused.body.code]).toEqual([403, "ROLE_NOT_ALLOWED"]);
		expect((await globex.setRoles(ADMINS, owner.headers)).status).toBe(403);
		expect((await acme.setRoles(ADMINS, {})).status).toBe(401);
		expect(await acme.roleOf("ada")).toBe("member");
		expect((await acme.setRoles(ADMINS, owner.headers)).status).toBe(200);
		expect(await acme.roleOf("ada")).toBe("admin");
		expect(await globex.roleOf("ada")).toBe("member");
		expect((await globex.get("/tenant/scim/get")).body.roles).toEqual({});
	});

	test("can be set by two owners at the same time, the first ones too", async () => {
		const { pushGroup, setRoles, roleOf, get } = await directoryOf(await service(), ["ada"]);
		await pushGroup("Staff", ["ada"]);
		const saved = await Promise.all([setRoles({ Staff: "admin" }), setRoles({ Others: "admin" })]);
		expect(saved.map(({ status }) => status)).toEqual([200, 200]);
		const { roles } = (await get("/tenant/scim/get")).body;
		expect(Object.keys(roles)).toHaveLength(1);
		expect(await roleOf("ada")).toBe("Staff" in roles ? "admin" : "member");
	});
});

test("a token gives and takes no role that its maker does not reach", async () => {
	const running = await runningService({
		SCIM: "true",
		TENANT_ROLES: JSON.stringify({
			connector: ["scim:create-token", "user:update"],
			creator: ["scim:create-token", "user:create"],
			reader: ["user:list"],
		}),
	});
	const { scim, makeToken, signUpAs, pushGroup, setRoles, roleOf, group, add, idOf } =
		await directoryOf(running, ["ada", "bob"]);
	await setRoles({ "App Admins": "admin", Connectors: "connector", Readers: "reader" });
	const admins = await pushGroup("App Admins", ["ada"]);
	const connectors = await pushGroup("Connectors");
	const tokenOf = async (role: string) => makeToken((await signUpAs(role)).headers);
	const [connector, creator] = [await tokenOf("connector"), await tokenOf("creator")];
	const refused = await scim("PATCH", `/Groups/${admins}`, add("bob"), connector);
	expect([refused.status, refused.body.status]).toEqual([403, "403"]);
	expect((await scim("GET", `/Groups/${admins}`)).body.members).toHaveLength(1);
	expect((await scim("DELETE", `/Groups/${admins}`, undefined, connector)).status).toBe(403);
	expect((await scim("POST", "/Groups", group("Readers", ["bob"]), connector)).status).toBe(403);
	expect([await roleOf("ada"), await roleOf("bob")]).toEqual(["admin", "member"]);
	// Also not for somebody whom a stronger token will activate.
	const setActive = (value: boolean) =>
		scim("PATCH", `/Users/${idOf("bob")}`, patch({ op: "replace", path: "active", value }));
	await setActive(false);
	expect((await scim("PATCH", `/Groups/${admins}`, add("bob"), connector)).status).toBe(403);
	await setActive(true);
	expect(await roleOf("bob")).toBe("member");
	// It permits no change of users.
	expect((await scim("PATCH", `/Groups/${connectors}`, add("bob"), creator)).status).toBe(403);
	expect((await scim("PATCH", `/Groups/${connectors}`, add("bob"), connector)).status).toBe(200);
	expect(await roleOf("bob")).toBe("connector");
	// A group without a role is only stored.
	expect((await scim("POST", "/Groups", group("Others", ["ada"]), creator)).status).toBe(201);
});

test("a group whose name is a whole number has no role: its place would be lost", async () => {
	const { setRoles, manage } = await directoryOf(await service(), ["ada"]);
	const roles = { Contractors: "member", "100": "admin" };
	expect((await manage("/tenant/scim/set-roles", { roles })).status).toBe(400);
	expect((await setRoles({ "Team 100": "admin" })).status).toBe(200);
});

test("a role that the service has lost gives nothing", async () => {
	const running = await service();
	const { setRoles, pushGroup, roleOf, tenantId } = await directoryOf(running, ["ada"]);
	await setRoles({ Editors: "admin" });
	const { adapter } = await running.backend.auth.$context;
	await runInTenant(running.backend.auth, tenantId, () =>
		adapter.updateMany({
			model: "scimGroupRoles",
			where: [{ field: "tenantId", value: tenantId }],
			update: { roles: '{"Editors":"lost"}' },
		}),
	);
	await pushGroup("Editors", ["ada"]);
	expect(await roleOf("ada")).toBe("member");
});

test("a change of a group changes the row of the roles, so that two nodes of a cluster collide", async () => {
	const running = await service();
	const { setRoles, pushGroup, tenantId } = await directoryOf(running, ["ada"]);
	await setRoles({ Editors: "admin" });
	const { auth } = running.backend;
	const { adapter } = await auth.$context;
	const query = { model: "scimGroupRoles", where: [{ field: "tenantId", value: tenantId }] };
	const old = new Date(0);
	await runInTenant(auth, tenantId, () =>
		adapter.updateMany({ ...query, update: { lockedAt: old } }),
	);
	await pushGroup("Editors", ["ada"]);
	const row = await runInTenant(auth, tenantId, () => adapter.findOne<{ lockedAt: Date }>(query));
	expect(row?.lockedAt).not.toEqual(old);
});
