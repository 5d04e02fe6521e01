import { apiKey } from "@better-auth/api-key";
import { getAuthTables } from "@better-auth/core/db";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { sso } from "@better-auth/sso";
import { deviceAuthorization, jwt, organization, siwe, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { CREDENTIALS } from "../../src/call/foreign";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { scimPlugin } from "../support/providers/scim";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { type InstanceOptions, ORIGIN } from "../support/worlds/instance";
import { makeInvitingApp } from "../support/worlds/invitations";

const BOSS = "boss@acme.com";
const EVE = "eve@example.com";

async function makeApp(options: InstanceOptions = {}) {
	const links: string[] = [];
	const app = await makeInvitingApp({
		emailAndPassword: { ...cheapPasswords, enabled: true },
		emailVerification: {
			sendOnSignUp: true,
			autoSignInAfterVerification: true,
			sendVerificationEmail: async ({ url }) => {
				links.push(url);
			},
		},
		user: { changeEmail: { enabled: true, updateEmailWithoutVerification: false } },
		plugins: [apiKey({ enableSessionForAPIKeys: true })],
		...options,
	});
	const tenantId = await app.makeTenant();
	const openLink = (cookie?: string) => app.call(String(links.at(-1)), cookie ? { cookie } : {});
	const roleOf = async () => (await app.findUser(tenantId, BOSS))?.tenantRole ?? null;
	const sessionOf = async (cookie: string) =>
		(await app.call("/get-session", { cookie })).body?.user?.email ?? null;
	const knowsPassword = async () => (await app.signIn(tenantId, { email: BOSS })).status === 200;
	const present = async () => {
		const { token } = await app.invite(tenantId, { email: BOSS, role: "owner" });
		return (await app.accept(token)).cookie;
	};
	return { ...app, tenantId, links, openLink, roleOf, sessionOf, knowsPassword, present };
}

const STORES: [string, () => InstanceOptions][] = [
	["in the database", () => ({})],
	["in a secondary storage", () => ({ secondaryStorage: makeMemoryStorage() })],
];

describe.each(STORES)("an account that somebody else made, with sessions %s", (_, options) => {
	it.each(["before", "after"])("is lost to them if it was made %s the invitation", async (when) => {
		const app = await makeApp(options());
		const first = when === "after" ? await app.present() : "";
		const eve = await app.signUp(app.tenantId, BOSS);
		const key = await app.call("/api-key/create", { cookie: eve.cookie, body: { name: "Eve's" } });
		expect(key.status).toBe(200);
		const cookie = first || (await app.present());
		const opened = await app.openLink(cookie);
		expect(await app.sessionOf(opened.cookie)).toBe(BOSS);
		expect(await app.roleOf()).toBe("owner");
		expect(await app.sessionOf(eve.cookie)).toBeNull();
		expect(await app.knowsPassword()).toBe(false);
		const byKey = await app.call("/get-session", { headers: { "x-api-key": key.body.key } });
		expect(byKey.body?.user ?? null).toBeNull();
	});

	it("is lost to them if they change their email to the invited one", async () => {
		const app = await makeApp(options());
		const eve = await app.signUp(app.tenantId, EVE);
		await app.changeUser(app.tenantId, EVE, { emailVerified: true });
		const cookie = await app.present();
		const body = { newEmail: BOSS };
		expect((await app.call("/change-email", { body, cookie: eve.cookie })).status).toBe(200);
		await app.openLink(cookie);
		expect((await app.findUser(app.tenantId, BOSS))?.emailVerified).toBe(true);
		expect(await app.sessionOf(eve.cookie)).toBeNull();
		expect(await app.knowsPassword()).toBe(false);
	});
});

describe("whoever proves their own email", () => {
	it("while signed in keeps the password, and gets the role", async () => {
		const app = await makeApp();
		const { cookie } = await app.signUp(app.tenantId, BOSS);
		const invited = await app.present();
		await app.openLink(`${cookie}; ${invited}`);
		expect(await app.knowsPassword()).toBe(true);
		expect(await app.roleOf()).toBe("owner");
	});

	it("keeps everything if nobody has invited them", async () => {
		const app = await makeApp();
		const { cookie } = await app.signUp(app.tenantId, BOSS);
		await app.openLink();
		expect(await app.sessionOf(cookie)).toBe(BOSS);
		expect(await app.knowsPassword()).toBe(true);
	});

	it("keeps everything if the invitation is revoked", async () => {
		const app = await makeApp();
		const { cookie } = await app.signUp(app.tenantId, BOSS);
		const { id: invitationId } = await app.invite(app.tenantId, { email: BOSS });
		const body = { tenantId: app.tenantId, invitationId };
		await app.manage("/tenant/invitation/revoke", { body });
		await app.openLink();
		expect(await app.sessionOf(cookie)).toBe(BOSS);
		expect(await app.knowsPassword()).toBe(true);
	});

	it("keeps everything if the email was proven before the invitation", async () => {
		const app = await makeApp();
		const { cookie } = await app.signUp(app.tenantId, BOSS);
		await app.openLink();
		const { token } = await app.invite(app.tenantId, { email: BOSS, role: "owner" });
		expect((await app.accept(token, { cookie })).body.status).toBe("accepted");
		expect(await app.sessionOf(cookie)).toBe(BOSS);
	});
});

/** They reference users, and nobody can act as a user with a row of them. */
const NO_CREDENTIALS = [
	// Handled apart.
	"account",
	"session",
	"twoFactor",
	// They end with the sessions.
	"oauthAccessToken",
	"oauthRefreshToken",
	// What users make or belong to.
	"invitation",
	"member",
	"oauthClient",
	"oauthClientAssertion",
	"oauthClientResource",
	"scimIdentityTombstone",
	"scimProjectionGrant",
	"scimProvider",
	"scimSubject",
	"scimUser",
	"ssoProvider",
	"teamMember",
	"tenantImportedUser",
	"walletAddress",
];

it("every table that references users is a credential, or named as none", () => {
	const plugins = [
		apiKey(),
		deviceAuthorization(),
		jwt(),
		oauthProvider({ loginPage: "/in", consentPage: "/consent" }),
		organization({ teams: { enabled: true } }),
		passkey(),
		scimPlugin(),
		siwe({ domain: ORIGIN, getNonce: async () => "", verifyMessage: async () => true }),
		sso(),
		twoFactor(),
	];
	const tables = Object.entries(getAuthTables({ plugins }));
	const aboutUsers = tables.flatMap(([model, { fields }]) =>
		Object.entries(fields).some(
			([name, { references }]) =>
				references?.model === "user" || ["userId", "referenceId"].includes(name),
		)
			? [model]
			: [],
	);
	const known = [...Object.keys(CREDENTIALS), ...NO_CREDENTIALS];
	expect(aboutUsers.filter((model) => !known.includes(model))).toEqual([]);
	expect(Object.keys(CREDENTIALS).filter((model) => !aboutUsers.includes(model))).toEqual([]);
});
