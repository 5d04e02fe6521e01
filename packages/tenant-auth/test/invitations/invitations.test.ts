import { cleanUp } from "better-auth-tenant";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import type { OpenDatabase } from "../support/databases/databases";
import { eachDatabase } from "../support/databases/each-database";
import { expectRefusal } from "../support/http/refusal";
import type { InstanceOptions } from "../support/worlds/instance";
import { type InvitingApp, makeInvitingApp } from "../support/worlds/invitations";

const BOB = "bob@corp.com";

const variations: [string, InstanceOptions][] = [
	["random ids", {}],
	["counted ids", { advanced: { database: { generateId: "serial" } } }],
];

/** What must be the same on every database. */
describe.each(eachDatabase)("an invitation on %s", (_, open) => {
	describe.each(variations)("with %s", (_, options) => {
		let on: OpenDatabase;
		let app: InvitingApp;
		let tenantId: string;

		beforeAll(async () => {
			on = await open();
			const { db, type } = on;
			app = await makeInvitingApp({ ...options, on: { db, type } });
		});

		beforeEach(async () => {
			tenantId = await app.makeTenant();
		});

		afterAll(() => on.close());

		const signedIn = async () => {
			const { cookie } = await app.signUp(tenantId, BOB);
			await app.changeUser(tenantId, BOB, { emailVerified: true });
			return cookie;
		};

		it("gives the role to whoever signs up with the token, once", async () => {
			const { token } = await app.invite(tenantId, { email: "Bob@Corp.com" });
			const { cookie, body } = await app.accept(token);
			expect(body).toMatchObject({ status: "sign-in-required", email: BOB, role: "admin" });
			const answer = await app.signUpWith(tenantId, BOB, { cookie });
			expect(answer.status).toBe(200);
			expect(answer.body.user.tenantRole).toBe("admin");
			const user = await app.findUser(tenantId, BOB);
			expect(user).toMatchObject({ tenantRole: "admin", emailVerified: false });
			expect(await app.list(tenantId)).toMatchObject([{ email: BOB, status: "accepted" }]);
			const [event] = await app.eventsOf(tenantId, "invitation:accept");
			expect(event).toMatchObject({ actorKind: "member", actorId: user?.id, targetId: user?.id });
			expectRefusal(await app.accept(token), 404, "INVITATION_NOT_FOUND");
		});

		it("gives the role to the signed-in user at once", async () => {
			const cookie = await signedIn();
			const { token } = await app.invite(tenantId, { email: BOB });
			const { body } = await app.accept(token, { cookie });
			expect(body.status).toBe("accepted");
			expect((await app.findUser(tenantId, BOB))?.tenantRole).toBe("admin");
			expect(await app.eventsOf(tenantId, "invitation:accept")).toHaveLength(1);
		});

		it("gives the role at the next sign-in", async () => {
			await signedIn();
			const { token } = await app.invite(tenantId, { email: BOB, role: "owner" });
			const { cookie } = await app.accept(token);
			const answer = await app.signIn(tenantId, { email: BOB, cookie });
			expect(answer.status).toBe(200);
			expect((await app.findUser(tenantId, BOB))?.tenantRole).toBe("owner");
		});

		it("is accepted by exactly one of many calls at once", async () => {
			const cookie = await signedIn();
			const { token } = await app.invite(tenantId, { email: BOB });
			const calls = Array.from({ length: 6 }, () => app.accept(token, { cookie }));
			const answers = await Promise.all(calls);
			const won = answers.filter(({ status }) => status === 200);
			expect(won.map(({ body }) => body.status)).toEqual(["accepted"]);
			for (const lost of notEmpty(answers.filter((it) => !won.includes(it)))) {
				expectRefusal(lost, 404, "INVITATION_NOT_FOUND");
			}
			expect(await app.eventsOf(tenantId, "invitation:accept")).toHaveLength(1);
		});

		it("is given to one user, if many sign up with its token at once", async () => {
			const { token } = await app.invite(tenantId, { email: BOB });
			const headers = { "x-invitation-token": token };
			const calls = Array.from({ length: 4 }, () => app.signUpWith(tenantId, BOB, { headers }));
			const answers = await Promise.all(calls);
			expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
			for (const { status } of notEmpty(answers)) expect(status).toBeLessThan(500);
			expect((await app.findUser(tenantId, BOB))?.tenantRole).toBe("admin");
			expect(await app.eventsOf(tenantId, "invitation:accept")).toHaveLength(1);
		});

		it("stays pending if the sign-up fails", async () => {
			await app.signUp(tenantId, BOB);
			const { token } = await app.invite(tenantId, { email: BOB });
			const headers = { "x-invitation-token": token };
			const answer = await app.signUpWith(tenantId, BOB, { headers });
			expectRefusal(answer, 422, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
			expect(await app.list(tenantId)).toMatchObject([{ status: "pending" }]);
			expect(await app.eventsOf(tenantId, "invitation:accept")).toEqual([]);
		});

		it("has one token that works, if many invite the same email at once", async () => {
			const calls = Array.from({ length: 6 }, () => app.invite(tenantId, { email: BOB }));
			const invitations = await Promise.all(calls);
			expect(new Set(invitations.map(({ id }) => id)).size).toBe(1);
			const seen = invitations.map(({ token }) =>
				app.call("/tenant/invitation/get", { query: { token } }),
			);
			const statuses = (await Promise.all(seen)).map(({ status }) => status);
			expect(statuses.filter((status) => status === 200)).toHaveLength(1);
			expect(await app.list(tenantId)).toHaveLength(1);
		});

		it("is either revoked or accepted, if both happen at once", async () => {
			const cookie = await signedIn();
			const { id, token } = await app.invite(tenantId, { email: BOB });
			const body = { tenantId, invitationId: id };
			const [revoked, accepted] = await Promise.all([
				app.manage("/tenant/invitation/revoke", { body }),
				app.accept(token, { cookie }),
			]);
			expect([revoked.status, accepted.status].sort()).toEqual([200, 404]);
			const role = accepted.status === 200 ? "admin" : null;
			expect((await app.findUser(tenantId, BOB))?.tenantRole ?? null).toBe(role);
		});

		it("is deleted with its tenant, and by cleanUp after it has expired", async () => {
			const other = await app.makeTenant();
			const [old] = [
				await app.invite(tenantId, { email: "old@corp.com" }),
				await app.invite(tenantId, { email: BOB }),
				await app.invite(other, { email: BOB }),
			];
			await app.changeInvitation(old.id, { expiresAt: new Date(Date.now() - 1000) });
			expect(await cleanUp(app.auth)).toMatchObject({ invitations: 1 });
			expect(await app.list(tenantId)).toMatchObject([{ email: BOB }]);
			await app.manage("/tenant/delete", { body: { tenantId } });
			const left = await app.db.selectFrom("tenantInvitation").select("tenantId").execute();
			expect(left.map((row) => String(row.tenantId))).not.toContain(tenantId);
			expect(await app.list(other)).toHaveLength(1);
		});

		it("lists invitations in pages, newest first", async () => {
			for (const name of ["a", "b", "c"]) await app.invite(tenantId, { email: `${name}@x.com` });
			const page = (query: Record<string, string>) =>
				app.manage("/tenant/invitation/list", { query: { tenantId, limit: "2", ...query } });
			const first = await page({});
			expect(first.headers.get("x-total-count")).toBe("3");
			const cursor = String(first.headers.get("x-next-cursor"));
			const rest = await page({ cursor });
			const emails = [...first.body, ...rest.body].map(({ email }) => email);
			expect(emails).toEqual(["c@x.com", "b@x.com", "a@x.com"]);
			expect(JSON.stringify(first.body)).not.toMatch(/token|url/i);
		});

		describe("a sign-in link", () => {
			const makeLink = async () => {
				const { body } = await app.signUp(tenantId, BOB);
				await app.changeUser(tenantId, BOB, { tenantRole: "owner" });
				const link = await app.manage("/tenant/user/sign-in-link", {
					body: { tenantId, userId: body.user.id, reason: "locked out", callbackURL: "/home" },
				});
				expect(link.status).toBe(200);
				return { url: String(link.body.url), userId: body.user.id };
			};

			it("signs in an owner once, of many calls at once", async () => {
				const { url, userId } = await makeLink();
				const answers = await Promise.all(Array.from({ length: 4 }, () => app.call(url)));
				const targets = answers.map(({ headers }) => new URL(String(headers.get("location"))));
				expect(targets.filter(({ pathname }) => pathname === "/home")).toHaveLength(1);
				const codes = targets.map(({ searchParams }) => searchParams.get("error")).filter(Boolean);
				expect(codes).toHaveLength(3);
				// MariaDB may give up one of two transactions that want the same row.
				for (const code of notEmpty(codes))
					expect(["SIGN_IN_LINK_INVALID", "WRITE_CONFLICT"]).toContain(code);
				const winner = answers.find(({ cookie }) => cookie !== "");
				const { body } = await app.call("/get-session", { cookie: String(winner?.cookie) });
				expect([body.user.id, body.session.tenantId]).toEqual([userId, tenantId]);
				expect(await app.eventsOf(tenantId, "user:use-sign-in-link")).toHaveLength(1);
				const [event] = await app.eventsOf(tenantId, "user:sign-in-link");
				expect(JSON.parse(String(event?.detail))).toMatchObject({ reason: "locked out" });
			});
		});
	});
});
