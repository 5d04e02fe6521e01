import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { jwt, magicLink } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { CREDENTIALS, EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** Other stores read a session in the same ways. */
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

/** Who may have a hook that reads the session before the hooks of this plugin run, or after. */
const readers: [string, () => InstanceOptions][] = [
	["the app", () => ({ hooks: { before: reading } })],
	["a plugin listed before tenantAuth", () => ({ plugins: [reader], pluginsFirst: true })],
	["a plugin listed after tenantAuth", () => ({ plugins: [reader] })],
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

describe.each(combine(readers, stores))("a hook that reads the session, of %s,", (_, options) => {
	const world = useWorld(() => setUp(options()));

	it("does not make B accept a session of A", async () => {
		const { call, b, ada, sessionOf } = world();
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

	it("does not prevent a browser with a session of A from signing in to B", async () => {
		const { call, b, ada, bob, signIn } = world();
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
		"does not prevent a browser with a session of A from using a link of B, by %s",
		async (path) => {
			const { call, b, ada, bob, clickMail, sessionOf } = world();
			await call(path, { tenant: b, body: { email: EMAIL } });
			const clicked = await clickMail(ada.cookie);
			expect((await sessionOf(clicked.cookie)).user.id).toBe(bob.body.user.id);
			expect((await sessionOf(ada.cookie)).user.id).toBe(ada.body.user.id);
		},
	);
});

/** Who may have a hook that reads the session after a sign-in. */
const lateReaders: [string, () => InstanceOptions][] = [
	["the app", () => ({ hooks: { after: reading } })],
	["a plugin listed before tenantAuth", () => ({ plugins: [lateReader], pluginsFirst: true })],
	["a plugin listed after tenantAuth", () => ({ plugins: [lateReader] })],
];

describe("a hook that reads the session after a sign-in", () => {
	it.each(combine(lateReaders, stores))("keeps the new session, of %s", async (_, options) => {
		const { call, b, ada, bob, signIn, clickMail, sessionOf } = await setUp(options());
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
