import { expect, test } from "vitest";
import { searchUsers } from "../src/http/operator-search";
import {
	asManager,
	newTenant,
	newUser,
	type RunningService,
	runningService,
} from "./running-service";

const get = ({ call }: RunningService, path: string, headers: Record<string, string> = asManager) =>
	call(path, { headers });

async function signUp({ post }: RunningService, tenantId: string, email: string, name = "Ada") {
	const headers = { "x-tenant-id": tenantId };
	const response = await post("/tenant/sign-up/email", { ...newUser(email), name }, headers);
	return ((await response.json()) as { user: { id: string } }).user.id;
}

test("a user is found in all tenants, by a part of the name or email", async () => {
	const service = await runningService();
	const acme = await newTenant(service.post, "acme");
	const globex = await newTenant(service.post, "globex");
	const ada = await signUp(service, acme, "ada@example.com");
	const other = await signUp(service, globex, "ada@example.com");
	await signUp(service, globex, "bob_b@example.com", "Robert");
	// An operator is a user of no tenant.
	const operator = { email: "adam@example.com", role: "support" };
	expect((await service.post("/operator/create", operator, asManager)).status).toBe(200);
	const find = async (search: string) => {
		const response = await get(service, `/service/users?search=${encodeURIComponent(search)}`);
		expect(response.status).toBe(200);
		return (await response.json()) as { id: string; email: string; tenant: object | null }[];
	};

	const found = await find("ADA@");
	expect(found.sort((a, b) => a.id.localeCompare(b.id))).toEqual(
		[
			{ id: ada, name: "Ada", email: "ada@example.com", tenant: { id: acme, name: "acme" } },
			{ id: other, name: "Ada", email: "ada@example.com", tenant: { id: globex, name: "globex" } },
		].sort((a, b) => a.id.localeCompare(b.id)),
	);
	expect(await find("adam")).toEqual([]);
	expect((await find("robe")).map(({ email }) => email)).toEqual(["bob_b@example.com"]);
	// In SQL, these two stand for other characters.
	expect((await find("b_b")).map(({ email }) => email)).toEqual(["bob_b@example.com"]);
	expect(await find("%%")).toEqual([]);
	expect(await find("a_a@")).toEqual([]);
});

test("beyond the newest users, a user is found by the beginning of the email or the name", async () => {
	const service = await runningService();
	const acme = await newTenant(service.post, "acme");
	for (const name of ["zoe", "adam", "ada", "grace", "bob"]) {
		await signUp(service, acme, `${name}@example.com`, `Dr ${name}`);
	}
	await signUp(service, acme, "old@example.com", "ada lovelace");
	await signUp(service, acme, "older@example.com", "Ada Lovelace");
	await signUp(service, acme, "newest@example.com", "Newest");
	const find = async (text: string) => {
		const { users, isLimited } = await searchUsers(service.backend, text, { searchedUsers: 1 });
		expect(isLimited).toBe(true);
		return users.map(({ email }) => email);
	};
	expect(await find("ada@")).toEqual(["ada@example.com"]);
	expect((await find("ada")).sort()).toEqual(
		["ada", "adam", "old", "older"].map((name) => `${name}@example.com`),
	);
	expect(await find("Ada@Example.com")).toEqual(["ada@example.com"]);
	expect(await find("zo")).toEqual(["zoe@example.com"]);
	expect(await find("dam")).toEqual([]);
	expect(await find("ADA LOVE")).toEqual(["old@example.com", "older@example.com"]);
	expect(await find("Dr g")).toEqual(["grace@example.com"]);
	expect(await find("Lovelace")).toEqual([]);
	expect(await find("west@")).toEqual(["newest@example.com"]);
	expect(await find("@example.com")).toEqual(["newest@example.com"]);
});

test("a search for users is limited, and only for managers", async () => {
	const service = await runningService();
	const acme = await newTenant(service.post, "acme");
	for (let count = 0; count < 21; count += 1)
		await signUp(service, acme, `user${count}@example.com`);
	const found = (await (await get(service, "/service/users?search=user")).json()) as object[];
	expect(found).toHaveLength(20);
	for (const search of ["", "a", "%00a", "x".repeat(201)]) {
		const response = await get(service, `/service/users?search=${search}`);
		expect(response.status, search).toBe(400);
		expect(await response.json()).toMatchObject({ code: "VALIDATION_ERROR" });
	}
	expect((await get(service, "/service/users?search=user", {})).status).toBe(401);
	expect((await get(service, "/service/audit", {})).status).toBe(401);
});

test("audit events come with the names of tenants and users, and in pages", async () => {
	const service = await runningService();
	const acme = await newTenant(service.post, "acme");
	const userId = await signUp(service, acme, "ada@example.com");
	await service.post("/tenant/user/disable", { tenantId: acme, userId }, asManager);
	const gone = await newTenant(service.post, "gone");
	await service.post("/tenant/delete", { tenantId: gone }, asManager);

	const all = await get(service, "/service/audit?limit=2");
	expect(all.headers.get("x-total-count")).toBe("4");
	expect(await all.json()).toMatchObject([
		{ action: "tenant:delete", tenantName: null, detail: { slug: "gone" } },
		{ action: "tenant:create", tenantName: null },
	]);
	const cursor = all.headers.get("x-next-cursor") ?? "";
	const next = await get(service, `/service/audit?limit=2&cursor=${encodeURIComponent(cursor)}`);
	expect(await next.json()).toMatchObject([
		{
			action: "user:disable",
			tenantName: "acme",
			targetId: userId,
			targetEmail: "ada@example.com",
			actor: { kind: "key" },
			actorEmail: null,
		},
		{ action: "tenant:create", tenantName: "acme", targetEmail: null },
	]);
	const ofTenant = await get(service, `/service/audit?tenantId=${acme}&action=user:disable`);
	expect(await ofTenant.json()).toHaveLength(1);
	const wrong = await get(service, "/service/audit?cursor=made-up");
	expect([wrong.status, await wrong.json()]).toMatchObject([400, { code: "INVALID_CURSOR" }]);
});

test("the service says what a tenant's policy can choose from", async () => {
	const service = await runningService();
	const { policy } = (await (await get(service, "/service/info")).json()) as {
		policy: { methods: string[] };
	};
	expect(policy).toMatchObject({
		minPasswordLength: 8,
		maxPasswordLength: 128,
		sessionLifetime: 7 * 24 * 60 * 60,
	});
	expect(policy.methods.slice(0, 2)).toEqual(["password", "social"]);
	// Everything that it offers is accepted.
	const tenantId = await newTenant(service.post, "acme");
	const update = { tenantId, signIn: { methods: policy.methods } };
	expect((await service.post("/tenant/policy/update", update, asManager)).status).toBe(200);
});
