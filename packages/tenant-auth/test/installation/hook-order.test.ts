import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { jwt, magicLink } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { CREDENTIALS, EMAIL, type InstanceOptions } from "../support/instance";
import { sessionStores } from "../support/session-stores";
import { makeTwoUsers } from "../support/two-tenants";

/** The others read a session in the same ways. */
const stores = sessionStores.filter(([name]) => /^in the database$|compact/.test(name));

const reading = createAuthMiddleware(async (ctx) => {
	await getSessionFromCtx(ctx);
});

const reader: BetterAuthPlugin = {
	id: "reader",
	hooks: { before: [{ matcher: () => true, handler: reading }] },
};

const lateReader: BetterAuthPlugin = {
	id: "late-reader",
	hooks: { after: [{ matcher: () => true, handler: reading }] },
};

/** Everybody whose hook may read the session before the plugin's own hooks run, or after. */
const readers: [string, InstanceOptions][] = [
	["the host", { hooks: { before: reading } }],
	["a plugin listed before tenantAuth", { plugins: [reader], pluginsFirst: true }],
	["a plugin listed after tenantAuth", { plugins: [reader] }],
];

async function setUp({ plugins = [], ...options }: InstanceOptions) {
	const mails: string[] = [];
	const send = async ({ url }: { url: string }) => {
		mails.push(url);
	};
	const app = await makeTwoUsers({
		emailVerification: { sendVerificationEmail: send, autoSignInAfterVerification: true },
		...options,
		plugins: [jwt(), magicLink({ sendMagicLink: send }), ...plugins],
	});
	return {
		...app,
		clickMail: (cookie: string) => app.call(app.pathOf(`${mails.at(-1)}`), { cookie }),
	};
}

describe.each(readers)("a hook of %s that reads the session", (_, options) => {
	describe.each(stores)("of a session %s", (_, store) => {
		it("does not let a session of tenant A count in B", async () => {
			const { call, b, ada, sessionOf } = await setUp({ ...options, ...store() });
			const token = await call("/token", { cookie: ada.cookie, tenant: b });
			expect(token.status).toBe(401);
			const update = await call("/update-user", {
				cookie: ada.cookie,
				tenant: b,
				body: { name: "Taken over" },
			});
			expect(update.status).toBe(401);
			expect((await sessionOf(ada.cookie)).user.name).toBe("User");
		});

		it("does not keep the browser of A from signing in to B", async () => {
			const { call, b, ada, bob, signIn } = await setUp({ ...options, ...store() });
			const atCore = await call("/sign-in/email", {
				cookie: ada.cookie,
				tenant: b,
				body: CREDENTIALS,
			});
			for (const answer of [atCore, await signIn(b, { cookie: ada.cookie })]) {
				expect(answer.body.user).toMatchObject({ id: bob.body.user.id, tenantId: b });
			}
		});

		it.each(["/sign-in/magic-link", "/send-verification-email"])(
			"does not keep the browser of A from a link of B, of %s",
			async (path) => {
				const { call, b, ada, bob, clickMail, sessionOf } = await setUp({ ...options, ...store() });
				await call(path, { tenant: b, body: { email: EMAIL } });
				const clicked = await clickMail(ada.cookie);
				expect((await sessionOf(clicked.cookie)).user.id).toBe(bob.body.user.id);
				expect((await sessionOf(ada.cookie)).user.id).toBe(ada.body.user.id);
			},
		);
	});
});

/** Everybody whose hook may read the session after a sign-in. */
const lateReaders: [string, InstanceOptions][] = [
	["the host", { hooks: { after: reading } }],
	["a plugin listed before tenantAuth", { plugins: [lateReader], pluginsFirst: true }],
	["a plugin listed after tenantAuth", { plugins: [lateReader] }],
];

describe.each(lateReaders)("a hook of %s that reads the session after a sign-in", (_, options) => {
	it.each(stores)("leaves the new session in the browser of A, %s", async (_, store) => {
		const { call, b, ada, bob, signIn, clickMail, sessionOf } = await setUp({
			...options,
			...store(),
		});
		const body = CREDENTIALS;
		const ways = [
			() => call("/sign-in/email", { cookie: ada.cookie, tenant: b, body }),
			() => signIn(b, { cookie: ada.cookie }),
			async () => {
				await call("/sign-in/magic-link", { tenant: b, body: { email: EMAIL } });
				return clickMail(ada.cookie);
			},
		];
		for (const way of ways) {
			const answer = await way();
			const lines = answer.headers.getSetCookie().filter((it) => it.includes("session_token="));
			expect(lines).toHaveLength(1);
			expect((await sessionOf(answer.cookie)).user.id).toBe(bob.body.user.id);
		}
		expect((await sessionOf(ada.cookie)).user.id).toBe(ada.body.user.id);
	});
});
