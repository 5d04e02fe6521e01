import { pruneAuditEvents, runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../../testing/not-empty";
import { makeGate } from "../../support/processes/gate";
import { makeInstance } from "../../support/worlds/instance";
import { atOnce, countOf, password, type Stage } from "./stage";

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Event = { action: string; targetId: string | null; actor: { kind: string } };

/** What those who operate tenants do. */
export function describeOperating(stage: Stage, lacks: readonly string[]): void {
	const { newAddress } = stage;

	const sessionOf = async (cookie: string) =>
		(await stage.instance.call("/get-session", { cookie })).body;
	const eventsOf = async (tenantId: string, more: Record<string, string> = {}): Promise<Event[]> =>
		(await stage.instance.manage("/tenant/audit/list", { query: { tenantId, ...more } })).body;

	describe("a tenant that is suspended", () => {
		it("refuses its sessions and its users, keeps them, and takes them again", async () => {
			const { makeTenant, signUp, manage, call } = stage.instance;
			const [tenantId, other] = [await makeTenant(), await makeTenant()];
			const email = newAddress();
			const [own, theirs] = [await signUp(tenantId, email), await signUp(other, email)];
			const signIn = () => call("/tenant/sign-in/email", { body: { tenantId, email, password } });

			await manage("/tenant/suspend", { body: { tenantId } });
			expect(await sessionOf(own.cookie)).toBeNull();
			expect((await sessionOf(theirs.cookie)).session.tenantId).toBe(other);
			for (const { status, body } of [await signIn(), await signUp(tenantId, newAddress())]) {
				expect([status, body.code]).toEqual([403, "TENANT_SUSPENDED"]);
			}
			const users = await manage("/tenant/user/list", { query: { tenantId } });
			expect(users.body).toMatchObject([{ email }]);

			await manage("/tenant/resume", { body: { tenantId } });
			expect((await sessionOf(own.cookie)).user.email).toBe(email);
			expect((await signIn()).status).toBe(200);
		});

		it.skipIf(lacks.includes("transactions"))(
			"refuses whoever was half-way through signing up",
			async () => {
				const gate = makeGate();
				const arrival = makeGate();
				const { makeTenant, signUp, manage, call } = await makeInstance({
					...stage.options(),
					databaseHooks: {
						user: {
							create: {
								// Inside the transaction, which has read by now and not written.
								before: async () => {
									arrival.open();
									await Promise.race([gate.opened, sleep(300)]);
								},
							},
						},
					},
				});
				const tenantId = await makeTenant();
				const signingUp = signUp(tenantId, newAddress());
				await arrival.opened;
				const suspended = await manage("/tenant/suspend", { body: { tenantId } });
				gate.open();
				const { status, cookie } = await signingUp;
				expect([suspended.status, [200, 403].includes(status)]).toEqual([200, true]);
				expect((await call("/get-session", { cookie })).body).toBeNull();
				const users = await manage("/tenant/user/list", { query: { tenantId } });
				expect(users.body).toHaveLength(status === 200 ? 1 : 0);
			},
		);
	});

	describe("those who operate a tenant", () => {
		it("see each user and session once, also if many were created at the same moment", async () => {
			const { makeTenant, manage, auth } = stage.instance;
			const tenantId = await makeTenant();
			const { adapter } = await auth.$context;
			const createdAt = new Date(Date.now() - 60_000);
			const expiresAt = new Date(Date.now() + 3_600_000);
			const made = { createdAt, updatedAt: createdAt };
			const add = async (n: number) => {
				const email = newAddress();
				const data = { ...made, name: `User ${n}`, email, emailVerified: false };
				const user = await adapter.create<object, { id: string }>({ model: "user", data });
				const { id: userId } = user;
				const session = { ...made, userId, expiresAt, token: `token-${email}-${userId}` };
				await adapter.create({ model: "session", data: session });
			};
			await runInTenant(auth, tenantId, async () => {
				for (let n = 0; n < 40; n += 1) await add(n);
			});
			for (const path of ["/tenant/user/list", "/tenant/session/list"]) {
				const seen: string[] = [];
				for (let offset = 0; offset < 45; offset += 7) {
					const query = { tenantId, limit: "7", offset: String(offset) };
					const { body, headers } = await manage(path, { query });
					seen.push(...body.map(({ id }: { id: string }) => id));
					expect(headers.get("x-total-count")).toBe("40");
				}
				expect([seen.length, new Set(seen).size], path).toEqual([40, 40]);
			}
		});

		it("search for users by what they type, character by character", async () => {
			const { makeTenant, call, manage } = stage.instance;
			const tenantId = await makeTenant();
			const names = ["a_b", "AxB", "100%", "100 x", "back\\slash", "Back slash"];
			for (const name of notEmpty(names)) {
				const body = { tenantId, name, email: newAddress(), password };
				expect((await call("/tenant/sign-up/email", { body })).status).toBe(200);
			}
			const search = async (text: string, more: Record<string, string> = {}) => {
				const query = { tenantId, search: text, ...more };
				const { body, headers } = await manage("/tenant/user/list", { query });
				expect(Number(headers.get("x-total-count"))).toBeGreaterThanOrEqual(body.length);
				return body.map(({ name }: { name: string }) => name).sort();
			};
			expect(await search("A_b")).toEqual(["a_b"]);
			expect(await search("%")).toEqual(["100%"]);
			expect(await search("_")).toEqual(["a_b"]);
			expect(await search("\\")).toEqual(["back\\slash"]);
			expect(await search("back")).toEqual(["Back slash", "back\\slash"]);
			expect(await search("_", { limit: "1", offset: "1" })).toEqual([]);
		});

		it("find users by status, role and id, and no users of another tenant", async () => {
			const { makeTenant, manage } = stage.instance;
			const [tenantId, other] = [await makeTenant(), await makeTenant()];
			const add = async (name: string, more: object, of = tenantId) => {
				const body = { tenantId: of, name, email: newAddress(), password, ...more };
				const { body: user, status } = await manage("/tenant/user/create", { body });
				expect(status).toBe(200);
				return String(user.id);
			};
			const ada = await add("Ada", { role: "owner", emailVerified: true });
			const bob = await add("Bob", { role: "admin" });
			const carol = await add("Carol", { emailVerified: true });
			const dave = await add("Dave", {});
			const eve = await add("Eve", { role: "owner" }, other);
			await manage("/tenant/user/disable", { body: { tenantId, userId: dave } });
			const list = async (query: Record<string, string>) => {
				const answer = await manage("/tenant/user/list", { query: { tenantId, ...query } });
				const names = answer.body.map(({ name }: { name: string }) => name).sort();
				expect(answer.headers.get("x-total-count")).toBe(String(names.length));
				return names;
			};
			expect(await list({ status: "active" })).toEqual(["Ada", "Bob", "Carol"]);
			expect(await list({ status: "disabled" })).toEqual(["Dave"]);
			expect(await list({ status: "unverified" })).toEqual(["Bob", "Dave"]);
			expect(await list({ role: "owner" })).toEqual(["Ada"]);
			expect(await list({ role: "member" })).toEqual(["Carol", "Dave"]);
			expect(await list({ role: "member", status: "active" })).toEqual(["Carol"]);
			expect(await list({ role: "member", search: "dav" })).toEqual(["Dave"]);
			expect(await list({ role: "admin", search: "dav" })).toEqual([]);
			expect(await list({ ids: [ada, carol, eve, "nobody"].join(",") })).toEqual(["Ada", "Carol"]);
			expect(await list({ ids: [bob, dave].join(","), status: "disabled" })).toEqual(["Dave"]);
			expect(await list({ ids: "nobody" })).toEqual([]);
			expect(await list({ ids: "" })).toEqual([]);

			const first = { tenantId, role: "member", limit: "1", total: "none" };
			const page = await manage("/tenant/user/list", { query: first });
			const cursor = String(page.headers.get("x-next-cursor"));
			const next = await manage("/tenant/user/list", { query: { ...first, cursor } });
			expect([page.body[0].name, next.body[0].name].sort()).toEqual(["Carol", "Dave"]);
			const { role: _, ...unfiltered } = first;
			const misused = await manage("/tenant/user/list", { query: { ...unfiltered, cursor } });
			expect(misused.body.code).toBe("INVALID_CURSOR");
		});

		it("list its users and sessions, search and page", async () => {
			const { makeTenant, signUp, manage } = stage.instance;
			const [tenantId, other] = [await makeTenant(), await makeTenant()];
			const addresses = [newAddress(), newAddress(), newAddress()];
			for (const email of addresses) await signUp(tenantId, email);
			await signUp(other, String(addresses[0]));
			const list = async (what: string, query: Record<string, string>) => {
				const answer = await manage(`/tenant/${what}/list`, { query: { tenantId, ...query } });
				return [answer.body.length, answer.headers.get("x-total-count")];
			};
			const search = String(addresses[1]).toUpperCase();
			expect(await list("user", {})).toEqual([3, "3"]);
			expect(await list("user", { search })).toEqual([1, "1"]);
			expect(await list("user", { limit: "2", offset: "2" })).toEqual([1, "3"]);
			expect(await list("session", { search })).toEqual([1, "1"]);
			expect(await list("session", { limit: "2" })).toEqual([2, "3"]);
		});

		it.skipIf(lacks.includes("transactions"))(
			"delete a user once, however many do so at once, and it is written down once",
			async () => {
				const { makeTenant, signUp, manage } = stage.instance;
				const tenantId = await makeTenant();
				const userId = (await signUp(tenantId, newAddress())).body.user.id;
				const answers = await atOnce(() =>
					manage("/tenant/user/delete", { body: { tenantId, userId } }),
				);
				expect([countOf(answers, 200), countOf(answers, 404)]).toEqual([1, answers.length - 1]);
				expect(await eventsOf(tenantId, { targetId: userId })).toMatchObject([
					{ action: "user:delete", actor: { kind: "key" } },
				]);
			},
		);

		it.each(["nobody", "0", "9".repeat(40), "' or 1=1", "00000000-0000-0000-0000-000000000000"])(
			"find no user under the id %s",
			async (id) => {
				const { makeTenant, signUp, manage } = stage.instance;
				const tenantId = await makeTenant();
				const userId = (await signUp(tenantId, newAddress())).body.user.id;
				const user = await manage("/tenant/user/get", { query: { tenantId, userId: id } });
				expect([user.status, user.body.code]).toEqual([404, "USER_NOT_FOUND"]);
				const body = { tenantId, userId, sessionId: id };
				const session = await manage("/tenant/session/revoke", { body });
				expect([session.status, session.body.code]).toEqual([404, "SESSION_NOT_FOUND"]);
				const options = await manage("/tenant/login-options", { query: { tenantId: id } });
				expect([options.status, options.body.code]).toEqual([404, "TENANT_NOT_FOUND"]);
				expect(await eventsOf(id, { actorId: id, targetId: id })).toEqual([]);
			},
		);

		it("change a config without its secret, and remove what is null", async () => {
			const { makeTenant, manage } = stage.instance;
			const tenantId = await makeTenant();
			const config = { tenantId, providerId: "github" };
			const client = { clientId: "id", clientSecret: "secret", scopes: ["repo"] };
			await manage("/tenant/oauth-config/register", {
				body: { ...config, ...client, redirectURI: "https://example.com/done" },
			});
			const update = (body: object) =>
				manage("/tenant/oauth-config/update", { body: { ...config, ...body } });
			await update({ redirectURI: null, options: { prompt: "consent" } });
			const { body } = await update({ clientId: "another" });
			expect(body).toMatchObject({ clientId: "another", scopes: ["repo"], redirectURI: null });
			expect(body.options).toEqual({ prompt: "consent" });
			await manage("/tenant/update", { body: { tenantId, metadata: { a: 1 } } });
			await manage("/tenant/update", { body: { tenantId, metadata: null } });
			const tenant = await manage("/tenant/get", { query: { id: tenantId } });
			expect(tenant.body.metadata).toBeNull();
		});

		it("erase the log of a deleted tenant, and no other", async () => {
			const { makeTenant, manage } = stage.instance;
			const [tenantId, other] = [await makeTenant(), await makeTenant()];
			const erase = () => manage("/tenant/audit/erase", { body: { tenantId } });
			expect((await erase()).body.code).toBe("TENANT_NOT_DELETED");
			await manage("/tenant/delete", { body: { tenantId } });
			expect((await erase()).status).toBe(200);
			// Where ids are counted, the newest creation stays without personal data.
			const left = (await eventsOf(tenantId)).filter(({ action }) => action !== "tenant:create");
			expect(left).toMatchObject([{ action: "audit:erase" }]);
			expect(await eventsOf(other)).toMatchObject([{ action: "tenant:create" }]);
		});

		it("lose old events of the log if there is a retention", async () => {
			const options = stage.options();
			const { auth, makeTenant } = await makeInstance({
				...options,
				tenants: { ...options.tenants, audit: { retentionDays: 1 } },
			});
			const [old, recent] = [await makeTenant(), await makeTenant()];
			const { adapter } = await auth.$context;
			await adapter.updateMany({
				model: "tenantAuditEvent",
				where: [{ field: "tenantId", value: old }],
				update: { createdAt: new Date(Date.now() - 2 * 24 * 60 * 60 * 1000) },
			});
			expect(await pruneAuditEvents(auth)).toBeGreaterThan(0);
			expect(await eventsOf(old)).toEqual([]);
			expect(await eventsOf(recent)).toHaveLength(1);
		});

		it("find in the log what was done between two moments", async () => {
			const { makeTenant, manage } = stage.instance;
			const before = new Date(Date.now() - 60_000).toISOString();
			const tenantId = await makeTenant();
			await manage("/tenant/suspend", { body: { tenantId } });
			const after = new Date(Date.now() + 60_000).toISOString();
			expect(await eventsOf(tenantId, { since: before, until: after })).toHaveLength(2);
			expect(await eventsOf(tenantId, { until: before })).toEqual([]);
			expect(await eventsOf(tenantId, { since: after })).toEqual([]);
			for (const moment of ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z"]) {
				expect(await eventsOf(tenantId, { since: moment, until: moment })).toEqual([]);
			}
			const [newest] = await eventsOf(tenantId, { action: "tenant:suspend" });
			expect(newest?.action).toBe("tenant:suspend");
			await manage("/tenant/delete", { body: { tenantId } });
			expect((await eventsOf(tenantId)).map(({ action }) => action)).toContain("tenant:delete");
		});
	});
}
