import { beforeAll, describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { EMAIL } from "../support/worlds/instance";
import { makeTwoUsers } from "../support/worlds/two-tenants";

type World = Awaited<ReturnType<typeof makeTwoUsers>>;

describe("those who manage", () => {
	let world: World;
	let ada: string;
	let bob: string;
	const resets: string[] = [];

	beforeAll(async () => {
		world = await makeTwoUsers({
			emailAndPassword: {
				enabled: true,
				sendResetPassword: async ({ user }) => void resets.push(user.id),
				password: {
					hash: async (password) => `hash of ${password}`,
					verify: async ({ hash, password }) => hash === `hash of ${password}`,
				},
			},
		});
		ada = world.ada.body.user.id;
		bob = world.bob.body.user.id;
	});

	it("list a tenant's users, search them and page through them", async () => {
		const { manage, signUp, a } = world;
		await signUp(a, "second@example.com");
		await signUp(a, "100_sure@example.com");
		const list = async (query: Record<string, string>) => {
			const answer = await manage("/tenant/user/list", { query: { tenantId: a, ...query } });
			const emails = answer.body.map(({ email }: { email: string }) => email);
			return [emails, answer.headers.get("x-total-count")];
		};
		const all = ["100_sure@example.com", "second@example.com", EMAIL];
		expect(await list({})).toEqual([all, "3"]);
		expect(await list({ search: "SECOND" })).toEqual([[all[1]], "1"]);
		expect(await list({ search: "0_S" })).toEqual([[all[0]], "1"]);
		expect(await list({ limit: "1", offset: "1" })).toEqual([[all[1]], "3"]);
	});

	it("see one user with accounts and sessions, and never a token or a password", async () => {
		const { body } = await world.manage("/tenant/user/get", {
			query: { tenantId: world.a, userId: ada },
		});
		expect(body.user).toMatchObject({ id: ada, email: EMAIL, tenantId: world.a });
		expect(body.accounts).toEqual([expect.objectContaining({ providerId: "credential" })]);
		expect(body.sessions).toEqual([expect.objectContaining({ userId: ada })]);
		const token = decodeURIComponent(world.ada.body.token);
		expect(JSON.stringify(body)).not.toContain(token);
		expect(JSON.stringify(body)).not.toContain("hash of");
	});

	it("list sessions, search them by their user, and end one", async () => {
		const { manage, signIn, sessionOf, a, b } = world;
		const { cookie } = await signIn(a);
		const list = async (query: Record<string, string> = {}) =>
			(await manage("/tenant/session/list", { query: { tenantId: a, ...query } })).body;
		const [newest] = await list({ search: EMAIL });
		expect(newest).toMatchObject({ userId: ada, user: { email: EMAIL } });
		expect(await list({ search: "nobody" })).toEqual([]);
		const body = { tenantId: a, userId: ada, sessionId: newest.id };
		expect((await manage("/tenant/session/revoke", { body })).body).toEqual({ success: true });
		expect(await sessionOf(cookie)).toBeNull();
		expect(await sessionOf(world.ada.cookie)).not.toBeNull();
		const foreign = await manage("/tenant/session/revoke", {
			body: { ...body, tenantId: b, userId: bob },
		});
		expect([foreign.status, foreign.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
	});

	it("send the mail with which a password is reset", async () => {
		const body = { tenantId: world.a, userId: ada };
		const { status } = await world.manage("/tenant/user/send-password-reset", { body });
		expect([status, resets]).toEqual([200, [ada]]);
	});

	it.each(["get", "delete", "revoke-sessions", "send-password-reset"])(
		"reach no user of another tenant by id: %s",
		async (action) => {
			const input = { tenantId: world.b, userId: ada };
			const answer = await world.manage(
				`/tenant/user/${action}`,
				action === "get" ? { query: input } : { body: input },
			);
			expect([answer.status, answer.body.code]).toEqual([404, "USER_NOT_FOUND"]);
		},
	);

	it("sign a user out everywhere, and delete one, and the neighbor of the same address stays", async () => {
		const { manage, signIn, sessionOf, a } = world;
		const { cookie } = await signIn(a);
		const body = { tenantId: a, userId: ada };
		await manage("/tenant/user/revoke-sessions", { body });
		expect(await sessionOf(cookie)).toBeNull();
		expect((await manage("/tenant/user/delete", { body })).body).toEqual({ success: true });
		expect((await signIn(a)).status).toBe(401);
		expect(await sessionOf(world.bob.cookie)).not.toBeNull();
	});
});

describe("where sessions are in a secondary storage alone", () => {
	it("those of one user can be seen and ended, and a list of all is refused", async () => {
		const world = await makeTwoUsers({ secondaryStorage: makeMemoryStorage() });
		const { manage, a, sessionOf } = world;
		const userId = world.ada.body.user.id;
		const { body } = await manage("/tenant/user/get", { query: { tenantId: a, userId } });
		const all = await manage("/tenant/session/list", { query: { tenantId: a } });
		expect([all.status, all.body.code]).toEqual([400, "SESSIONS_NOT_LISTED"]);
		const sessionId = body.sessions[0].id;
		await manage("/tenant/session/revoke", { body: { tenantId: a, userId, sessionId } });
		expect(await sessionOf(world.ada.cookie)).toBeNull();
		expect(await sessionOf(world.bob.cookie)).not.toBeNull();
	});
});

it("a user whom a hook of the host keeps is reported as kept", async () => {
	const world = await makeTwoUsers({
		databaseHooks: { user: { delete: { before: async () => false } } },
	});
	const body = { tenantId: world.a, userId: world.ada.body.user.id };
	const answer = await world.manage("/tenant/user/delete", { body });
	expect([answer.status, answer.body.code]).toEqual([409, "USER_NOT_DELETED"]);
	expect((await world.signIn(world.a)).status).toBe(200);
});
