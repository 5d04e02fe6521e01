import { describe, expect, it } from "vitest";
import { TEST_ALL } from "../../../../testing/services";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { endpointSources } from "../support/http/endpoint-sources";
import type { RelyingParty } from "../support/providers/oauth-relying-party";
import { totpOf } from "../support/providers/totp";
import { type Grants, makeGrants } from "../support/worlds/grants";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { someOf } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

/** A browser of Ada's, with a session. */
interface Device {
	cookie: string;
	token: string;
	sessionId: string;
	userId: string;
}

interface Way {
	/** Ends the session of `lost`. `kept` is another device of the same user. */
	end(app: Grants, lost: Device, kept: Device): Promise<{ status: number }>;
	/** Whether the other device keeps its tokens. */
	one?: true;
}

const NEW_PASSWORD = "another battery staple";
const managed = (path: string): Way => ({
	end: ({ manage, a }, { userId }) => manage(path, { body: { tenantId: a, userId } }),
});
const byAdmin = (path: string, more: object = {}): Way => ({
	end: ({ act }, { userId }) => act(path, { userId, ...more }),
});

/** Every endpoint that ends sessions, by its path. */
const WAYS: Record<string, Way> = {
	"/sign-out": {
		end: ({ call }, { cookie }) => call("/sign-out", { cookie, body: {} }),
		one: true,
	},
	"/revoke-session": {
		end: ({ call }, { token }, { cookie }) => call("/revoke-session", { cookie, body: { token } }),
		one: true,
	},
	"/revoke-sessions": {
		end: ({ call }, { cookie }) => call("/revoke-sessions", { cookie, body: {} }),
	},
	"/revoke-other-sessions": {
		end: ({ call }, _, { cookie }) => call("/revoke-other-sessions", { cookie, body: {} }),
		one: true,
	},
	"/change-password": {
		end: ({ call }, _, { cookie }) =>
			call("/change-password", {
				cookie,
				body: {
					currentPassword: PASSWORD,
					newPassword: NEW_PASSWORD,
					revokeOtherSessions: true,
				},
			}),
	},
	"/reset-password": {
		end: async ({ call, a, sent }) => {
			await call("/request-password-reset", { tenant: a, body: { email: EMAIL } });
			const body = { token: sent.at(-1)?.token, newPassword: NEW_PASSWORD };
			return call("/reset-password", { body });
		},
	},
	"/delete-user": {
		end: ({ call }, _, { cookie }) =>
			call("/delete-user", { cookie, body: { password: PASSWORD } }),
	},
	"/two-factor/verify-totp": { end: enroll, one: true },
	"/two-factor/disable": {
		end: async (app, lost) => {
			const { cookie } = await enroll(app, lost);
			return app.call("/two-factor/disable", { cookie, body: { password: PASSWORD } });
		},
		one: true,
	},
	"/multi-session/revoke": {
		end: ({ call }, { cookie, token }) =>
			call("/multi-session/revoke", { cookie, body: { sessionToken: token } }),
		one: true,
	},
	"/admin/revoke-user-session": {
		end: ({ act }, { token }) => act("/revoke-user-session", { sessionToken: token }),
		one: true,
	},
	"/admin/revoke-user-sessions": byAdmin("/revoke-user-sessions"),
	"/admin/ban-user": byAdmin("/ban-user"),
	"/admin/update-user": byAdmin("/update-user", { data: { banned: true } }),
	"/admin/remove-user": byAdmin("/remove-user"),
	"/tenant/user/revoke-sessions": managed("/tenant/user/revoke-sessions"),
	"/tenant/user/disable": {
		end: async (app, lost, kept) => {
			await managed("/tenant/user/disable").end(app, lost, kept);
			return managed("/tenant/user/enable").end(app, lost, kept);
		},
	},
	"/tenant/user/delete": managed("/tenant/user/delete"),
	"/tenant/user/remove-second-factor": managed("/tenant/user/remove-second-factor"),
	"/tenant/session/revoke": {
		end: ({ manage, a }, { userId, sessionId }) =>
			manage("/tenant/session/revoke", { body: { tenantId: a, userId, sessionId } }),
		one: true,
	},
	"/tenant/delete": {
		end: ({ manage, a }) => manage("/tenant/delete", { body: { tenantId: a } }),
	},
};

/** Endpoints that delete a session like one of the others, and need more than this world has. */
const LIKE_OTHERS: Record<string, keyof typeof WAYS | "it has expired"> = {
	"/get-session": "it has expired",
	"/delete-user/callback": "/delete-user",
	"/delete-anonymous-user": "/delete-user",
	"/email-otp/reset-password": "/reset-password",
	"/phone-number/reset-password": "/reset-password",
	"/two-factor/enable": "/two-factor/verify-totp",
	"/two-factor/verify-otp": "/two-factor/verify-totp",
	"/admin/stop-impersonating": "/sign-out",
	"/oauth2/end-session": "/sign-out",
	"/sso/saml2/sp/slo/:providerId": "/sign-out",
	"/sso/saml2/logout/:providerId": "/sign-out",
	// The last one in its file. The function behind all endpoints of users follows it.
	"/scim/v2/ResourceTypes/:resourceTypeId": "/admin/revoke-user-sessions",
	"/tenant/user/remove-passkeys": "/tenant/user/revoke-sessions",
	"/tenant/user/move": "/tenant/user/revoke-sessions",
};

async function enroll({ call }: Grants, { cookie }: Pick<Device, "cookie">) {
	const { body } = await call("/two-factor/enable", { body: { password: PASSWORD }, cookie });
	const code = totpOf(String(body.totpURI));
	return call("/two-factor/verify-totp", { body: { code }, cookie });
}

async function useDevice({ signIn, sessionOf, a }: Grants): Promise<Device> {
	const { cookie } = await signIn(a);
	const { session } = await sessionOf(cookie);
	return { cookie, token: session.token, sessionId: session.id, userId: session.userId };
}

/** Whether an application can still act for its user. */
async function stateOf(app: Grants, party: RelyingParty, tokens: Record<string, string>) {
	const [shown, refreshed] = [
		await app.userInfo(String(tokens.access_token)),
		await app.refresh(party, String(tokens.refresh_token)),
	];
	return { userInfo: shown.status < 400, refresh: refreshed.status < 400 };
}

const OPEN = { userInfo: true, refresh: true };
const ENDED = { userInfo: false, refresh: false };

const usual: [string, () => InstanceOptions][] = [
	["the database", () => ({})],
	[
		"secondary storage and the database",
		() => ({ secondaryStorage: makeMemoryStorage(), session: { storeSessionInDatabase: true } }),
	],
];

const others: typeof usual = [
	[
		"secondary storage and kept in the database",
		() => ({
			secondaryStorage: makeMemoryStorage(),
			session: { storeSessionInDatabase: true, preserveSessionInDatabase: true },
		}),
	],
];

const stores = TEST_ALL ? [...usual, ...others] : usual;

/** All ways with the usual store; with each other store, some, and all of them in `test:all`. */
const waysWith = (turn: number) => {
	const ways = Object.entries(WAYS);
	return turn === 0 ? ways : someOf(ways, 7, turn);
};

describe.each(stores.map(([name, store], turn) => [name, store, waysWith(turn)] as const))(
	"with sessions in %s, tokens of an application end",
	(_, store, ways) => {
		const world = useWorld(() => makeGrants(store()));

		it.each(ways)("with %s", async (_, { end, one }) => {
			const app = world();
			const { ofA, ofB, bob, tokensOf } = app;
			const [lost, kept] = [await useDevice(app), await useDevice(app)];
			const tokens = await tokensOf(ofA, lost.cookie);
			const others = await tokensOf(ofA, kept.cookie);
			const ofOtherTenant = await tokensOf(ofB, bob.cookie);
			expect((await end(app, lost, kept)).status).toBe(200);
			expect(await stateOf(app, ofA, tokens)).toEqual(ENDED);
			expect(await stateOf(app, ofA, others)).toEqual(one ? OPEN : ENDED);
			expect(await stateOf(app, ofB, ofOtherTenant)).toEqual(OPEN);
		});
	},
);

describe("the list of these endpoints", () => {
	it("has every endpoint of Better Auth that deletes sessions or users", () => {
		const calls = /\.(?:deleteSession|deleteSessions|deleteUserSessions|deleteUser)\(/;
		const found = endpointSources().flatMap(({ path, source }) => (calls.test(source) ? path : []));
		const listed = new Set([...Object.keys(WAYS), ...Object.keys(LIKE_OTHERS)]);
		expect(found.length).toBeGreaterThan(20);
		expect(found.filter((path) => !listed.has(path))).toEqual([]);
	});

	it("names a tested endpoint for each that is not tried", () => {
		const tested = Object.values(LIKE_OTHERS).filter((path) => path !== "it has expired");
		expect(tested.filter((path) => !(path in WAYS))).toEqual([]);
	});
});
