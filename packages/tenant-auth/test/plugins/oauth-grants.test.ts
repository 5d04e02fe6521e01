import { runAcrossTenants } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { TEST_ALL } from "../../../../testing/services";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { type Grants, makeGrants } from "../support/worlds/grants";
import type { InstanceOptions } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

const REFUSED = [400, "invalid_grant"];
const MINUTE = 60 * 1000;
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString();

/** A device of Ada's, and the tokens of an application on it. */
async function useApp(app: Grants) {
	const { cookie } = await app.signIn(app.a);
	const { session } = await app.sessionOf(cookie);
	const tokens: Record<string, string> = await app.tokensOf(app.ofA, cookie);
	const change = (values: object) =>
		app.db.updateTable("session").set(values).where("id", "=", session.id).execute();
	return { cookie, userId: String(session.userId), sessionId: String(session.id), tokens, change };
}

async function outcomeOf(app: Grants, tokens: Record<string, string>) {
	const { status, body } = await app.refresh(app.ofA, String(tokens.refresh_token));
	return status === 200 ? 200 : [status, body.error];
}

describe("after a session has expired by itself, an application", () => {
	const setUp = (outlivesSession: boolean, more: InstanceOptions = {}) =>
		makeGrants({ ...more, tenants: { oauthGrants: { outlivesSession: () => outlivesSession } } });
	const world = useWorld(() => setUp(true));

	it("goes on if it may, without the session", async () => {
		const app = world();
		const { tokens, change } = await useApp(app);
		await change({ expiresAt: ago(1000) });
		const { status, body } = await app.refresh(app.ofA, String(tokens.refresh_token));
		expect(status).toBe(200);
		expect((await app.userInfo(body.access_token)).status).toBe(200);
		expect(await outcomeOf(app, body)).toBe(200);
	});

	it.each(["the browser comes back", "expired sessions are cleaned up"])(
		"goes on if it may, when %s",
		async (event) => {
			const app = world();
			const { cookie, tokens, change, sessionId } = await useApp(app);
			await change({ expiresAt: ago(1000) });
			if (event === "the browser comes back") expect(await app.sessionOf(cookie)).toBeNull();
			else {
				const { adapter } = await app.auth.$context;
				const where = [{ field: "id", value: sessionId }];
				await runAcrossTenants(() => adapter.deleteMany({ model: "session", where }));
			}
			const rows = app.db.selectFrom("session").select("id").where("id", "=", sessionId);
			expect(await rows.execute()).toEqual([]);
			expect(await outcomeOf(app, tokens)).toBe(200);
		},
	);

	it("is refused if it may not", async () => {
		const app = await setUp(false);
		const [expired, other] = [await useApp(app), await useApp(app)];
		await expired.change({ expiresAt: ago(1000) });
		expect(await outcomeOf(app, expired.tokens)).toEqual(REFUSED);
		expect(await outcomeOf(app, other.tokens)).toBe(200);
	});

	it.each<[string, (app: Grants, userId: string) => Promise<{ status: number }>]>([
		[
			"all sessions are revoked",
			({ manage, a }, userId) =>
				manage("/tenant/user/revoke-sessions", { body: { tenantId: a, userId } }),
		],
		[
			"the user signs out everywhere else",
			async ({ call, signIn, a }) => {
				const { cookie } = await signIn(a);
				return call("/revoke-other-sessions", { cookie, body: {} });
			},
		],
		[
			"the user is disabled",
			({ manage, a }, userId) => manage("/tenant/user/disable", { body: { tenantId: a, userId } }),
		],
	])("is refused, in any case, when %s", async (_, end) => {
		const app = await setUp(true);
		const { tokens, change, userId } = await useApp(app);
		await change({ expiresAt: ago(1000) });
		const { body } = await app.refresh(app.ofA, String(tokens.refresh_token));
		expect((await end(app, userId)).status).toBe(200);
		expect((await app.userInfo(body.access_token)).status).toBeGreaterThanOrEqual(400);
		const [status, error] = (await outcomeOf(app, body)) as unknown[];
		expect([status, error]).toEqual(REFUSED);
	});
});

describe("a refresh token", () => {
	it("has an end that a refresh does not move", async () => {
		const app = await makeGrants({ tenants: { oauthGrants: { maxDays: 2 } } });
		const { tokens } = await useApp(app);
		const rows = () =>
			app.db.selectFrom("oauthRefreshToken").select(["expiresAt", "authTime"]).execute();
		const authTime = ago(40 * 60 * MINUTE);
		await app.db.updateTable("oauthRefreshToken").set({ authTime }).execute();
		const { body } = await app.refresh(app.ofA, String(tokens.refresh_token));
		const ends = (await rows()).map(({ expiresAt }) => new Date(String(expiresAt)).getTime());
		expect(Math.max(...ends) - Date.now()).toBeLessThanOrEqual(2 * 24 * 60 * MINUTE);
		expect(Math.min(...ends) - Date.now()).toBeLessThanOrEqual(8 * 60 * MINUTE);
		await app.db
			.updateTable("oauthRefreshToken")
			.set({ expiresAt: ago(1000) })
			.execute();
		expect(await outcomeOf(app, body)).toEqual(REFUSED);
	});

	it("has the end of its own application, also if that has become shorter", async () => {
		const days = new Map<string, number>();
		const maxDays = async ({ clientId }: { clientId: string }) => days.get(clientId) ?? 30;
		const app = await makeGrants({ tenants: { oauthGrants: { maxDays } } });
		const { tokens } = await useApp(app);
		await app.db
			.updateTable("oauthRefreshToken")
			.set({ authTime: ago(50 * 60 * MINUTE) })
			.execute();
		const { body } = await app.refresh(app.ofA, String(tokens.refresh_token));
		expect(body).toHaveProperty("refresh_token");
		days.set(app.ofB.client_id, 1);
		const next = await app.refresh(app.ofA, String(body.refresh_token));
		expect(next.body).toHaveProperty("refresh_token");
		days.set(app.ofA.client_id, 2);
		expect(await outcomeOf(app, next.body)).toEqual(REFUSED);
	});

	it("is refused after the lifetime that the tenant's policy gives a session", async () => {
		const app = await makeGrants();
		const [old, recent] = [await useApp(app), await useApp(app)];
		const body = { tenantId: app.a, session: { lifetime: 3600 } };
		expect((await app.manage("/tenant/policy/update", { body })).status).toBe(200);
		const past = ago(61 * MINUTE);
		await old.change({ createdAt: past });
		await app.db
			.updateTable("oauthRefreshToken")
			.set({ authTime: past })
			.where("sessionId", "=", old.sessionId)
			.execute();
		expect(await outcomeOf(app, old.tokens)).toEqual(REFUSED);
		expect((await app.userInfo(String(old.tokens.access_token))).status).toBe(401);
		expect(await outcomeOf(app, recent.tokens)).toBe(200);
		expect((await app.userInfo(String(recent.tokens.access_token))).status).toBe(200);
	});

	it("is refused after the idle time, and a refresh is a use of the session", async () => {
		const app = await makeGrants({ tenants: { oauthGrants: { outlivesSession: () => false } } });
		const [idle, used] = [await useApp(app), await useApp(app)];
		const body = { tenantId: app.a, session: { idleTime: 600 } };
		expect((await app.manage("/tenant/policy/update", { body })).status).toBe(200);
		await idle.change({ updatedAt: ago(11 * MINUTE) });
		await used.change({ updatedAt: ago(9 * MINUTE) });
		expect(await outcomeOf(app, idle.tokens)).toEqual(REFUSED);
		expect(await outcomeOf(app, used.tokens)).toBe(200);
		const { session } = await app.sessionOf(used.cookie);
		expect(Date.now() - new Date(session.updatedAt).getTime()).toBeLessThan(MINUTE);
	});

	it("of an application that outlives sessions is refused if it was not used for the idle time", async () => {
		const app = await makeGrants();
		const [idle, used] = [await useApp(app), await useApp(app)];
		const body = { tenantId: app.a, session: { idleTime: 600 } };
		expect((await app.manage("/tenant/policy/update", { body })).status).toBe(200);
		for (const { change } of [idle, used]) await change({ updatedAt: ago(11 * MINUTE) });
		await app.db
			.updateTable("oauthRefreshToken")
			.set({ createdAt: ago(11 * MINUTE) })
			.where("sessionId", "=", idle.sessionId)
			.execute();
		// The browser comes back, and finds that its session is over.
		expect(await app.sessionOf(used.cookie)).toBeNull();
		expect(await outcomeOf(app, idle.tokens)).toEqual(REFUSED);
		expect(await outcomeOf(app, used.tokens)).toBe(200);
	});

	it("is not made by a refresh whose grant ends meanwhile", async () => {
		const app = await makeGrants();
		const { tokens, change, userId } = await useApp(app);
		await change({ expiresAt: ago(1000) });
		const { adapter } = await app.auth.$context;
		const { incrementOne } = adapter;
		adapter.incrementOne = (async (query: Parameters<typeof incrementOne>[0]) => {
			const row = await incrementOne(query);
			const body = { tenantId: app.a, userId };
			expect((await app.manage("/tenant/user/revoke-sessions", { body })).status).toBe(200);
			return row;
		}) as typeof incrementOne;
		expect(await outcomeOf(app, tokens)).toEqual(REFUSED);
		expect(await app.db.selectFrom("oauthRefreshToken").selectAll().execute()).toEqual([]);
	});
});

describe.each(eachDatabase)("the tokens of an application on %s", (_, open) => {
	let on: OpenDatabase;
	let app: Grants;

	beforeAll(async () => {
		on = await open();
		const { db, type } = on;
		app = await makeGrants({ on: { db, type } });
	});

	afterAll(() => on.close());

	/** A user of A with an application, whose session may have expired. */
	async function useAppAs(email: string, hasExpired: boolean) {
		const { cookie } = await app.signUp(app.a, email);
		const { session } = await app.sessionOf(cookie);
		const tokens = await app.tokensOf(app.ofA, cookie);
		if (hasExpired) {
			const { adapter } = await app.auth.$context;
			const where = [{ field: "id", value: session.id }];
			const update = { createdAt: new Date(), expiresAt: new Date(Date.now() + 1) };
			await runAcrossTenants(() => adapter.update({ model: "session", where, update }));
			await new Promise((resolve) => setTimeout(resolve, 1100));
		}
		return { tokens, cookie, userId: String(session.userId) };
	}

	it.each([true, false])("end while they are refreshed; expired session: %s", async (expired) => {
		for (let round = 0; round < (TEST_ALL ? 5 : 2); round += 1) {
			const email = `${expired}-${round}@example.com`;
			const { tokens, userId } = await useAppAs(email, expired);
			const body = { tenantId: app.a, userId };
			const [refreshed, revoked] = await Promise.all([
				app.refresh(app.ofA, tokens.refresh_token),
				app.manage("/tenant/user/revoke-sessions", { body }),
			]);
			expect(revoked.status).toBe(200);
			// 409: MariaDB has chosen the refresh in a deadlock.
			expect([200, 400, 409]).toContain(refreshed.status);
			const latest = refreshed.status === 200 ? refreshed.body : tokens;
			expect(await outcomeOf(app, latest)).toEqual(REFUSED);
			expect((await app.userInfo(latest.access_token)).status).toBeGreaterThanOrEqual(400);
		}
	});

	it("end with their session and with their consent", async () => {
		const [one, two] = [
			await useAppAs("one@example.com", false),
			await useAppAs("two@example.com", false),
		];
		await app.call("/sign-out", { cookie: one.cookie, body: {} });
		expect(await outcomeOf(app, one.tokens)).toEqual(REFUSED);
		const refreshed = await app.refresh(app.ofA, two.tokens.refresh_token);
		const consents = (await app.call("/oauth2/get-consents", { cookie: two.cookie })).body;
		const body = { id: consents[0].id };
		await app.call("/oauth2/delete-consent", { cookie: two.cookie, body });
		expect(await outcomeOf(app, refreshed.body)).toEqual(REFUSED);
	});

	it("are the same for refreshes at the same time", async () => {
		const { tokens } = await useAppAs("twice@example.com", false);
		const answers = await Promise.all(
			[1, 2, 3].map(() => app.refresh(app.ofA, tokens.refresh_token)),
		);
		const fine = answers.filter(({ status }) => status === 200);
		expect(new Set(fine.map(({ body }) => body.refresh_token)).size).toBe(1);
		for (const { status, body } of notEmpty(answers)) {
			expect(status === 200 || body.code === "REFRESHED_MEANWHILE").toBe(true);
		}
	});
});

describe("a refresh token that is used twice", () => {
	const world = useWorld(() => makeGrants());

	it("gives the same tokens again for some seconds", async () => {
		const app = world();
		const { tokens } = await useApp(app);
		const twice = [1, 2].map(() => app.refresh(app.ofA, String(tokens.refresh_token)));
		const answers = await Promise.all(twice);
		const won = answers.find(({ status }) => status === 200);
		const again = await app.refresh(app.ofA, String(tokens.refresh_token));
		expect(again.body.refresh_token).toBe(won?.body.refresh_token);
		// The loser of a race may repeat its call.
		for (const { status, body } of notEmpty(answers.filter((it) => it !== won))) {
			expect(status === 200 || body.code === "REFRESHED_MEANWHILE").toBe(true);
		}
		expect(await outcomeOf(app, again.body)).toBe(200);
	});

	it("waits for the response of a faster call", async () => {
		const app = world();
		const { tokens } = await useApp(app);
		const { body } = await app.refresh(app.ofA, String(tokens.refresh_token));
		const used = () => app.db.updateTable("oauthRefreshToken").where("revoked", "is not", null);
		const stored = await app.db
			.selectFrom("oauthRefreshToken")
			.select("rotationReplayResponse")
			.where("rotationReplayResponse", "is not", null)
			.executeTakeFirstOrThrow();
		await used().set({ rotationReplayResponse: null }).execute();
		const slow = app.refresh(app.ofA, String(tokens.refresh_token));
		setTimeout(() => void used().set(stored).execute(), 150);
		expect((await slow).body.refresh_token).toBe(body.refresh_token);
	});

	it("ends its own grant later, and no other device", async () => {
		const app = world();
		const [stolen, other] = [await useApp(app), await useApp(app)];
		const { body } = await app.refresh(app.ofA, String(stolen.tokens.refresh_token));
		await app.db
			.updateTable("oauthRefreshToken")
			.set({ rotationReplayExpiresAt: ago(1000) })
			.where("rotatedAt", "is not", null)
			.execute();
		expect(await outcomeOf(app, stolen.tokens)).toEqual(REFUSED);
		expect(await outcomeOf(app, body)).toEqual(REFUSED);
		expect((await app.userInfo(body.access_token)).status).toBe(401);
		expect(await outcomeOf(app, other.tokens)).toBe(200);
	});
});

it("a consent that the user removes ends the application's tokens, and no others", async () => {
	const app = await makeGrants();
	const [first, second] = [await useApp(app), await useApp(app)];
	const other = await app.register(app.ada.cookie);
	const kept = await app.tokensOf(other, first.cookie);
	const consents = (await app.call("/oauth2/get-consents", { cookie: first.cookie })).body;
	const { id } = consents.find((it: { clientId: string }) => it.clientId === app.ofA.client_id);
	const removed = await app.call("/oauth2/delete-consent", { cookie: first.cookie, body: { id } });
	expect(removed.status).toBe(200);
	for (const { tokens } of [first, second]) {
		expect(await outcomeOf(app, tokens)).toEqual(REFUSED);
		expect((await app.userInfo(String(tokens.access_token))).status).toBe(401);
	}
	expect((await app.refresh(other, kept.refresh_token)).status).toBe(200);
});
