import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { anonymous } from "better-auth/plugins";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attack } from "../matrix/attack";
import { describeAllPlugins } from "../matrix/plugins/all-plugins";
import type { PluginMatrix } from "../matrix/plugins/matrix";
import { makePluginWorld } from "../matrix/plugins/world";
import { expectRefusal } from "../support/http/refusal";
import { EMAIL, type Instance, makeInstance } from "../support/worlds/instance";
import { someOf } from "../support/worlds/variations";
import { saveWorld, useWorld } from "../support/worlds/world";

/** Nobody may sign up, and no way to sign in is allowed. */
const NOTHING = {
	signUp: { mode: "closed" },
	signIn: { methods: ["social"], providers: ["zoom"] },
};

/** Endpoints that get a session from another one, or for somebody who manages the tenant. */
const CONTINUED = {
	disableTwoFactor: "the session is replaced by one without a second factor",
	verifyTOTP: "the password was verified before",
	verifyTwoFactorOTP: "the password was verified before",
	verifyBackupCode: "the password was verified before",
	deviceToken: "a signed-in user approved the device",
	electronToken: "a signed-in user handed the session over",
	impersonateUser: "an admin does it",
};

/** Endpoints that sign somebody in. */
const SIGN_INS = [
	"acsEndpoint",
	"callbackOAuth",
	"callbackSSO",
	"callbackSSOShared",
	"magicLinkVerify",
	"oneTapCallback",
	"signInEmail",
	"signInEmailOTP",
	"signInPhoneNumber",
	"signInUsername",
	"signUpEmail",
	"verifyPasskeyAuthentication",
	"verifyPhoneNumber",
	"verifySiweMessage",
];

/** An admin or a directory creates users. */
const MANAGED_USERS = {
	createUser: "an admin does it",
	createSCIMUser: "the tenant's directory does it",
};

/** All their attempts are made, also where one attempt is enough for other endpoints. */
const KNOWN = new Set([...SIGN_INS, ...Object.keys(CONTINUED), ...Object.keys(MANAGED_USERS)]);

describe("a tenant that allows nothing", () => {
	const created = new Map<string, Set<string>>();
	describeAllPlugins(describePolicy);

	it("was tried with every endpoint that creates a session, and each is known", () => {
		const sessions = [...created].filter(([, what]) => what.has("session")).map(([name]) => name);
		expect(sessions.sort()).toEqual([...SIGN_INS, ...Object.keys(CONTINUED)].sort());
	});

	it("has no anonymous users", async () => {
		const { call, manage, makeTenant } = await makeInstance({ plugins: [anonymous()] });
		const tenant = await makeTenant();
		await manage("/tenant/policy/update", { body: { tenantId: tenant, ...NOTHING } });
		const refused = await call("/sign-in/anonymous", { tenant, body: {} });
		expectRefusal(refused, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
	});

	it("refuses an endpoint of a plugin that nobody knows", async () => {
		const unknown: BetterAuthPlugin = {
			id: "unknown",
			endpoints: {
				signInByBadge: createAuthEndpoint("/sign-in/badge", { method: "POST" }, async (ctx) => {
					const { internalAdapter } = ctx.context;
					const found = await internalAdapter.findUserByEmail(EMAIL);
					return ctx.json(await internalAdapter.createSession(String(found?.user.id)));
				}),
			},
		};
		const { call, manage, makeTenant, signUp } = await makeInstance({ plugins: [unknown] });
		const tenant = await makeTenant();
		await signUp(tenant);
		expect((await call("/sign-in/badge", { tenant, body: {} })).status).toBe(200);
		const body = { tenantId: tenant, signIn: { methods: ["password", "social"] } };
		await manage("/tenant/policy/update", { body });
		const refused = await call("/sign-in/badge", { tenant, body: {} });
		expectRefusal(refused, 403, "SIGN_IN_METHOD_NOT_ALLOWED");
	});

	function describePolicy<Own>(matrix: PluginMatrix<Own>): string {
		const { plugin, rows, core = {} } = matrix;
		const all = [...Object.entries(rows), ...Object.entries(core)].flatMap(([name, attempts]) => {
			const tried = KNOWN.has(name) ? attempts : someOf(attempts, 1, 0);
			return tried.map((attempt) => [name, attempt.tries, attempt] as const);
		});
		describe(`with ${plugin}`, () => {
			const world = useWorld(() => makePluginWorld(matrix));
			let restore = () => {};
			beforeAll(() => {
				restore = saveWorld(world());
			});
			afterAll(() => world().close());

			/** What A's own call creates in A. */
			async function creates(attempt: (typeof all)[number][2]): Promise<Set<string>> {
				const { a } = world();
				const before = countIn(world(), a.tenantId);
				const asA = { cookie: attempt.signedOut ? "" : a.cookie, tenant: a.tenantId };
				const answer = await attack(world(), attempt.call(world()), asA);
				expect(answer.status).not.toBe(500);
				const after = countIn(world(), a.tenantId);
				return new Set(
					(["session", "user"] as const).filter((model) =>
						[...after[model]].some((id) => !before[model].has(id)),
					),
				);
			}

			it.each(all)("%s: creates no session and no user (A %s)", async (name, _, attempt) => {
				const usual = await creates(attempt);
				created.set(name, new Set([...(created.get(name) ?? []), ...usual]));
				if (usual.size === 0) return;
				restore();
				const { database, a } = world();
				const policy = JSON.stringify(NOTHING);
				database.prepare("update tenant set policy = ? where id = ?").run(policy, a.tenantId);
				const what = await creates(attempt);
				if (name in CONTINUED) what.delete("session");
				if (name in MANAGED_USERS) what.delete("user");
				expect([...what]).toEqual([]);
			});
		});
		return plugin;
	}
});

function countIn({ database }: Pick<Instance, "database">, tenantId: string) {
	const idsOf = (model: "session" | "user") => {
		const rows = database.prepare(`select id from "${model}" where "tenantId" = ?`).all(tenantId);
		return new Set((rows as { id: string }[]).map(({ id }) => id));
	};
	return { session: idsOf("session"), user: idsOf("user") };
}
