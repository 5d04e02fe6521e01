import { APIError } from "better-auth/api";
import { emailOTP, magicLink } from "better-auth/plugins";
import { type InvitationEmail, tenantInvitations } from "better-auth-tenant/invitations";
import { beforeAll, describe, expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { Browser } from "../support/http/browser";
import { expectRefusal } from "../support/http/refusal";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import type { InstanceOptions } from "../support/worlds/instance";
import { MANAGEMENT_KEY, ORIGIN, PASSWORD } from "../support/worlds/instance";
import { type InvitingApp, makeInvitingApp } from "../support/worlds/invitations";
import { addTenantAt, beginSocial, makeSocialApp } from "../support/worlds/social-app";

const BOB = "bob@corp.com";
const HEADER = "x-invitation-token";

async function makeApp(options: InstanceOptions = {}) {
	const app = await makeInvitingApp(options);
	const tenantId = await app.makeTenant();
	const signedIn = async (email = BOB) => {
		const { cookie } = await app.signUp(tenantId, email);
		await app.changeUser(tenantId, email, { emailVerified: true });
		return cookie;
	};
	const roleOf = async (email = BOB) =>
		(await app.findUser(tenantId, email))?.tenantRole ?? undefined;
	const get = (token: string, rest: object = {}) =>
		app.call("/tenant/invitation/get", { query: { token }, ...rest });
	return { ...app, tenantId, signedIn, roleOf, get };
}

type App = Awaited<ReturnType<typeof makeApp>>;

describe("the role of an invitation", () => {
	let app: App;

	beforeAll(async () => {
		app = await makeApp();
	});

	const fresh = async (): Promise<App> => ({ ...(await makeApp()) });

	it("is not for somebody who only knows the email", async () => {
		const { invite, signUpWith, roleOf, tenantId, list } = await fresh();
		await invite(tenantId, { email: BOB, role: "owner" });
		expect((await signUpWith(tenantId, BOB)).status).toBe(200);
		expect(await roleOf()).toBeUndefined();
		expect(await list(tenantId)).toMatchObject([{ status: "pending" }]);
	});

	it("is not for another address, with the cookie or the header", async () => {
		const { invite, accept, signUpWith, roleOf, tenantId, list } = await fresh();
		const { token } = await invite(tenantId, { email: BOB });
		const { cookie } = await accept(token);
		await signUpWith(tenantId, "eve@corp.com", { cookie });
		await signUpWith(tenantId, "mallory@corp.com", { headers: { [HEADER]: token } });
		expect([await roleOf("eve@corp.com"), await roleOf("mallory@corp.com")]).toEqual([
			undefined,
			undefined,
		]);
		expect(await list(tenantId)).toMatchObject([{ status: "pending" }]);
	});

	it("is not for another tenant", async () => {
		const { invite, accept, get, signUpWith, makeTenant, tenantId, findUser } = await fresh();
		const other = await makeTenant();
		const { token } = await invite(tenantId, { email: BOB });
		expectRefusal(await get(token, { tenant: other }), 404, "INVITATION_NOT_FOUND");
		expectRefusal(await accept(token, { tenant: other }), 404, "INVITATION_NOT_FOUND");
		const answer = await signUpWith(other, BOB, { headers: { [HEADER]: token } });
		expect(answer.status).toBe(200);
		expect((await findUser(other, BOB))?.tenantRole ?? null).toBeNull();
		expect((await get(token)).status).toBe(200);
	});

	it("is not for a session of another tenant", async () => {
		const { invite, accept, signUp, makeTenant, tenantId, changeUser } = await fresh();
		const other = await makeTenant();
		const { cookie } = await signUp(other, BOB);
		await changeUser(other, BOB, { emailVerified: true });
		const { token } = await invite(tenantId, { email: BOB });
		const answer = await accept(token, { cookie });
		expect(answer.body.status).toBe("sign-in-required");
		// The session is still valid in its own tenant.
		expect(answer.cookie).not.toContain("session_token");
	});

	it("is not on the platform", async () => {
		const { invite, call, tenantId, findUser } = await fresh();
		const { token } = await invite(tenantId, { email: BOB, role: "owner" });
		const body = { name: "Bob", email: BOB, password: PASSWORD };
		const answer = await call("/sign-up/email", { body, headers: { [HEADER]: token } });
		expect(answer.status).toBe(200);
		expect((await findUser("", BOB))?.tenantRole ?? null).toBeNull();
	});

	it.each([
		["expired", { expiresAt: new Date(Date.now() - 1000) }],
		["revoked", { revokedAt: new Date() }],
		["accepted", { acceptedAt: new Date() }],
	])("is not given by an invitation that is %s", async (status, change) => {
		const { invite, accept, get, signUpWith, roleOf, tenantId, changeInvitation, list } =
			await fresh();
		const { id, token } = await invite(tenantId, { email: BOB });
		const { cookie } = await accept(token);
		await changeInvitation(id, change);
		expectRefusal(await get(token), 404, "INVITATION_NOT_FOUND");
		expectRefusal(await accept(token), 404, "INVITATION_NOT_FOUND");
		expect((await signUpWith(tenantId, BOB, { cookie })).status).toBe(200);
		expect(await roleOf()).toBeUndefined();
		expect(await list(tenantId)).toMatchObject([{ status }]);
	});

	it("is not given by an old token, after a resend or a new invitation", async () => {
		const { invite, get, manage, tenantId } = await fresh();
		const { id, token: first } = await invite(tenantId, { email: BOB });
		const resent = await manage("/tenant/invitation/resend", {
			body: { tenantId, invitationId: id },
		});
		expectRefusal(await get(first), 404, "INVITATION_NOT_FOUND");
		expect((await get(resent.body.token)).status).toBe(200);
		const { token: third } = await invite(tenantId, { email: BOB, role: "member" });
		expectRefusal(await get(resent.body.token), 404, "INVITATION_NOT_FOUND");
		expect((await get(third)).body.role).toBe("member");
	});

	it("is not for a cookie that somebody made up", async () => {
		const { invite, accept, signUpWith, roleOf, tenantId } = await fresh();
		const { token } = await invite(tenantId, { email: BOB });
		const { cookie } = await accept(token);
		const [name = ""] = cookie.split("=");
		await signUpWith(tenantId, BOB, { cookie: `${name}=${token}.${"A".repeat(43)}%3D` });
		expect(await roleOf()).toBeUndefined();
	});

	it("is not for an account whose email nobody has verified: it may be somebody else's", async () => {
		const { invite, accept, signUp, signIn, roleOf, tenantId, changeUser } = await fresh();
		const { cookie } = await signUp(tenantId, BOB);
		const { token } = await invite(tenantId, { email: BOB });
		const answer = await accept(token, { cookie });
		expect(answer.body.status).toBe("verification-required");
		await signIn(tenantId, { email: BOB, cookie: answer.cookie });
		expect(await roleOf()).toBeUndefined();
		await changeUser(tenantId, BOB, { emailVerified: true });
		await signIn(tenantId, { email: BOB, cookie: answer.cookie });
		expect(await roleOf()).toBe("admin");
	});

	it.each([
		["owner", "member", "owner"],
		["owner", "admin", "owner"],
		["admin", "member", "admin"],
		["support", "member", "support"],
		["support", "admin", "admin"],
		[null, "member", undefined],
		["admin", "owner", "owner"],
	])("never takes anything away: %s invited as %s is %s", async (had, role, has) => {
		const { invite, accept, signedIn, roleOf, tenantId, changeUser, list } = await fresh();
		const cookie = await signedIn();
		await changeUser(tenantId, BOB, { tenantRole: had });
		const { token } = await invite(tenantId, { email: BOB, role });
		expect((await accept(token, { cookie })).body.status).toBe("accepted");
		expect(await roleOf()).toBe(has);
		expect(await list(tenantId)).toMatchObject([{ status: "accepted" }]);
	});

	it("is not given by a suspended tenant, and again after it was resumed", async () => {
		const { invite, accept, get, manage, tenantId, signedIn, roleOf } = await fresh();
		const cookie = await signedIn();
		const { token } = await invite(tenantId, { email: BOB });
		await manage("/tenant/suspend", { body: { tenantId } });
		expectRefusal(await get(token), 403, "TENANT_SUSPENDED");
		expectRefusal(await accept(token, { cookie }), 403, "TENANT_SUSPENDED");
		await manage("/tenant/resume", { body: { tenantId } });
		expect((await accept(token, { cookie })).body.status).toBe("accepted");
		expect(await roleOf()).toBe("admin");
	});

	it("is not given by an invitation of a deleted tenant", async () => {
		const { invite, get, manage, tenantId } = await fresh();
		const { token } = await invite(tenantId, { email: BOB });
		await manage("/tenant/delete", { body: { tenantId } });
		expectRefusal(await get(token), 404, "INVITATION_NOT_FOUND");
	});

	it("is shown to whoever has the token, and nothing else is", async () => {
		const { token } = await app.invite(app.tenantId, { email: BOB });
		const { body } = await app.get(token);
		expect(Object.keys(body)).toEqual(["tenant", "email", "role", "expiresAt"]);
		expect(body).toMatchObject({ tenant: { id: app.tenantId }, email: BOB, role: "admin" });
	});

	it("is given up to the limit of the cookie: it lasts 15 minutes and no script reads it", async () => {
		const { token } = await app.invite(app.tenantId, { email: "carol@corp.com" });
		const { headers } = await app.accept(token);
		const [cookie = ""] = headers.getSetCookie();
		expect(cookie).toMatch(/^better-auth\.tenant_invitation=/);
		expect(cookie).toMatch(/Max-Age=900/);
		expect(cookie).toMatch(/HttpOnly/);
		expect(cookie).toMatch(/SameSite=Lax/i);
	});

	it("removes the cookie that gave it", async () => {
		const { token } = await app.invite(app.tenantId, { email: "dave@corp.com" });
		const { cookie } = await app.accept(token);
		const { headers } = await app.signUpWith(app.tenantId, "dave@corp.com", { cookie });
		const removed = headers.getSetCookie().filter((it) => it.includes("tenant_invitation="));
		expect(removed).toEqual([expect.stringMatching(/Max-Age=0/)]);
	});

	it("is also in sessions of a secondary storage", async () => {
		const { invite, accept, signedIn, call, tenantId } = await makeApp({
			secondaryStorage: makeMemoryStorage(),
		});
		const cookie = await signedIn();
		const { token } = await invite(tenantId, { email: BOB });
		await accept(token, { cookie });
		const { body } = await call("/get-session", { cookie });
		expect(body.user.tenantRole).toBe("admin");
	});

	it.each([true, false])(
		"is not lost if the user cannot be created (transactions: %s)",
		async (transactions) => {
			const badge = { type: "string", unique: true, required: false } as const;
			const { call, invite, roleOf, tenantId, list } = await makeApp({
				transactions,
				user: { additionalFields: { badge } },
			});
			const { token } = await invite(tenantId, { email: BOB });
			const signUp = (email: string, number: string) =>
				call("/tenant/sign-up/email", {
					body: { tenantId, name: "Bob", email, password: PASSWORD, badge: number },
					headers: { [HEADER]: token },
				});
			expect((await signUp("carol@corp.com", "7")).status).toBe(200);
			expect((await signUp(BOB, "7")).body.code).toBe("FAILED_TO_CREATE_USER");
			expect(await list(tenantId)).toMatchObject([{ status: "pending" }]);
			expect((await signUp(BOB, "8")).status).toBe(200);
			expect(await roleOf()).toBe("admin");
		},
	);
});

describe("an inviter", () => {
	/** Users of the tenant may invite in this app. */
	const makeOpenApp = () =>
		makeApp({
			tenants: {
				managementKeys: [MANAGEMENT_KEY],
				canManageTenants: (ctx) => ctx.headers?.get("cookie") != null,
			},
		});

	async function inviteAsAda(app: App) {
		const { signedIn, changeUser, call, tenantId } = app;
		const cookie = await signedIn("ada@corp.com");
		await changeUser(tenantId, "ada@corp.com", { tenantRole: "admin" });
		const body = { tenantId, email: BOB, role: "admin" };
		const invited = await call("/tenant/invitation/create", { body, cookie });
		const ada = await app.findUser(tenantId, "ada@corp.com");
		expect(invited.body.invitedBy).toBe(ada?.id);
		return { token: invited.body.token as string, adaId: String(ada?.id) };
	}

	it("is named in the invitation, which works as long as they are there", async () => {
		const app = await makeOpenApp();
		const { token } = await inviteAsAda(app);
		await app.signUpWith(app.tenantId, BOB, { headers: { [HEADER]: token } });
		expect(await app.roleOf()).toBe("admin");
	});

	it.each<[string, (app: App, adaId: string) => Promise<unknown>]>([
		[
			"was removed",
			({ manage, tenantId }, userId) =>
				manage("/tenant/user/delete", { body: { tenantId, userId } }),
		],
		[
			"was disabled",
			({ changeUser, tenantId }) =>
				changeUser(tenantId, "ada@corp.com", { disabledAt: new Date() }),
		],
		[
			"has a lower role now",
			({ changeUser, tenantId }) => changeUser(tenantId, "ada@corp.com", { tenantRole: null }),
		],
	])("who %s cannot let anybody in", async (_, change) => {
		const app = await makeOpenApp();
		const { token, adaId } = await inviteAsAda(app);
		await change(app, adaId);
		expectRefusal(await app.get(token), 404, "INVITATION_NOT_FOUND");
		expectRefusal(await app.accept(token), 404, "INVITATION_NOT_FOUND");
		await app.signUpWith(app.tenantId, BOB, { headers: { [HEADER]: token } });
		expect(await app.roleOf()).toBeUndefined();
	});
});

describe("an invitation that the app sends", () => {
	async function makeSendingApp(options: InstanceOptions = {}) {
		const emails: InvitationEmail[] = [];
		const app = await makeApp({
			...options,
			invitations: {
				sendInvitation: async (email) => {
					emails.push(email);
				},
			},
		});
		return { ...app, emails };
	}

	it("shows its token to nobody else", async () => {
		const { invite, manage, emails, tenantId } = await makeSendingApp();
		const answer = await invite(tenantId, { email: BOB, callbackURL: "/join?from=mail" });
		const [email] = emails;
		expect(Object.keys(answer)).not.toEqual(expect.arrayContaining(["token"]));
		expect(JSON.stringify(answer)).not.toContain(email?.token);
		expect(email?.url).toBe(`${ORIGIN}/join?from=mail&token=${email?.token}`);
		expect(email).toMatchObject({
			tenant: { id: tenantId },
			invitation: { id: answer.id, email: BOB, role: "admin", status: "pending" },
		});
		const again = await manage("/tenant/invitation/resend", {
			body: { tenantId, invitationId: answer.id },
		});
		expect(JSON.stringify(again.body)).not.toContain(emails[1]?.token);
		expect(emails[1]?.token).not.toBe(email?.token);
	});

	it("proves the email of a new user, also where it must be verified", async () => {
		const { invite, emails, signUpWith, signIn, findUser, tenantId } = await makeSendingApp({
			emailAndPassword: { ...cheapPasswords, enabled: true, requireEmailVerification: true },
		});
		await invite(tenantId, { email: BOB });
		const headers = { [HEADER]: String(emails[0]?.token) };
		await signUpWith(tenantId, BOB, { headers });
		expect(await findUser(tenantId, BOB)).toMatchObject({
			emailVerified: true,
			tenantRole: "admin",
		});
		expect((await signIn(tenantId, { email: BOB })).status).toBe(200);
	});

	it("is there although the email could not be sent", async () => {
		const app = await makeApp({
			invitations: {
				sendInvitation: async () => {
					throw new Error("the mail server is down");
				},
			},
		});
		await app.invite(app.tenantId, { email: BOB });
		expect(await app.list(app.tenantId)).toMatchObject([{ status: "pending" }]);
	});
});

describe("an invitation that the app refuses", () => {
	it("changes nothing, whether it is new or sent again", async () => {
		let isRefused = false;
		const asked: object[] = [];
		const app = await makeApp({
			invitations: {
				checkInvitation: (invitation) => {
					asked.push(invitation);
					if (isRefused)
						throw new APIError("TOO_MANY_REQUESTS", { code: "TOO_MANY", message: "no" });
				},
			},
		});
		const { invite, manage, list, tenantId } = app;
		const { id: invitationId } = await invite(tenantId, { email: BOB });
		const before = await list(tenantId);
		isRefused = true;
		const again = { body: { tenantId, invitationId } };
		expectRefusal(await manage("/tenant/invitation/resend", again), 429, "TOO_MANY");
		const other = { body: { tenantId, email: BOB, role: "member" } };
		expectRefusal(await manage("/tenant/invitation/create", other), 429, "TOO_MANY");
		expect(await list(tenantId)).toEqual(before);
		const times = Array.from({ length: 3 }, () => ({ email: BOB, tenantId }));
		expect(asked).toEqual(times);
	});
});

describe("the link of an invitation", () => {
	it.each(["https://evil.example/join", "//evil.example", "javascript:alert(1)"])(
		"does not lead to %s",
		async (callbackURL) => {
			const { manage, tenantId, list } = await makeApp();
			const body = { tenantId, email: BOB, role: "admin", callbackURL };
			const answer = await manage("/tenant/invitation/create", { body });
			expectRefusal(answer, 403, "INVALID_CALLBACK_URL");
			expect(await list(tenantId)).toEqual([]);
		},
	);
});

describe("an invitation is accepted by signing in", () => {
	interface Mail {
		url: string;
		otp: string;
	}

	const mails: Partial<Mail>[] = [];
	const lastMail = () => mails.at(-1) ?? {};
	const plugins = [
		magicLink({
			sendMagicLink: async ({ url }) => {
				mails.push({ url });
			},
		}),
		emailOTP({
			sendVerificationOTP: async ({ otp }) => {
				mails.push({ otp });
			},
		}),
	];

	const ways: [string, (app: InvitingApp, tenant: string, cookie: string) => Promise<unknown>][] = [
		[
			"with a magic link",
			async ({ call }, tenant, cookie) => {
				await call("/sign-in/magic-link", { tenant, body: { email: BOB, callbackURL: "/" } });
				return call(String(lastMail().url), { cookie });
			},
		],
		[
			"with a code",
			async ({ call }, tenant, cookie) => {
				const body = { email: BOB, type: "sign-in" };
				await call("/email-otp/send-verification-otp", { tenant, body });
				const signIn = { email: BOB, otp: lastMail().otp };
				return call("/sign-in/email-otp", { tenant, cookie, body: signIn });
			},
		],
		[
			"at Better Auth's own path",
			({ call }, tenant, cookie) =>
				call("/sign-up/email", {
					tenant,
					cookie,
					body: { name: "Bob", email: BOB, password: PASSWORD },
				}),
		],
	];

	it.each(ways)("as a new user %s", async (_, signIn) => {
		const app = await makeApp({ plugins });
		const { token } = await app.invite(app.tenantId, { email: BOB });
		const { cookie } = await app.accept(token);
		await signIn(app, app.tenantId, cookie);
		expect(await app.roleOf()).toBe("admin");
	});

	it.each(ways.slice(0, 2))("as a known user %s", async (_, signIn) => {
		const app = await makeApp({ plugins });
		// Nobody has verified it, but the mail proves it: Better Auth removes the password.
		await app.signUp(app.tenantId, BOB);
		const { token } = await app.invite(app.tenantId, { email: BOB });
		const { cookie } = await app.accept(token);
		await signIn(app, app.tenantId, cookie);
		expect(await app.roleOf()).toBe("admin");
	});

	describe("with a social provider", () => {
		const gitlab = useIdentityProvider("gitlab");

		it.each(["as a new user", "as a known user"])("%s", async (who) => {
			const app = await makeSocialApp({ plugins: [tenantInvitations()] });
			const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
			const email = `${who.replaceAll(" ", "-")}@corp.com`;
			const person = gitlab.addPerson({ email });
			if (who === "as a known user") {
				const first = await beginSocial(app, { tenantId, provider: "gitlab" });
				await first.browser.follow(first.url, { as: person });
				app.database.prepare("update user set emailVerified = 1 where email = ?").run(email);
			}
			const invited = await app.handler(
				new Request(`${app.baseURL}/tenant/invitation/create`, {
					method: "POST",
					headers: {
						"content-type": "application/json",
						authorization: `Bearer ${MANAGEMENT_KEY}`,
					},
					body: JSON.stringify({ tenantId, email, role: "owner" }),
				}),
			);
			const { token } = await invited.json();
			const browser = new Browser(app);
			await browser.fetch("/tenant/invitation/accept", { body: { token } });
			const { url } = await beginSocial(app, { tenantId, provider: "gitlab" }, browser);
			await browser.follow(url, { as: person });
			const user = app.database.prepare("select * from user where email = ?").get(email);
			expect(user).toMatchObject({ tenantId, tenantRole: "owner" });
		});
	});
});
