import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { createAuthMiddleware } from "better-auth/api";
import { bearer, jwt, oneTimeToken } from "better-auth/plugins";
import { runInTenant, tenantAuth } from "better-auth-tenant";
import { describe, expect, it, vi } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import { cheapPasswords } from "../support/worlds/cheap-passwords";
import { EMAIL, makeInstance, ORIGIN, PASSWORD } from "../support/worlds/instance";
import { useWorld } from "../support/worlds/world";

interface TokenApi {
	getToken(input: { headers: Headers }): Promise<{ token: string }>;
}

const strategies = ["compact", "jwt", "jwe"] as const;

/** A user of tenant A with a cached session, and tenant B. */
async function setUp(
	strategy: (typeof strategies)[number],
	plugins: BetterAuthPlugin[] = [bearer(), jwt() as BetterAuthPlugin, oneTimeToken()],
) {
	const instance = await makeInstance({
		session: { cookieCache: { enabled: true, maxAge: 300, strategy } },
		plugins,
	});
	const [a, b] = [await instance.makeTenant(), await instance.makeTenant()];
	const { body, cookie } = await instance.signUp(a);
	const cachedOnly = cookie
		.split("; ")
		.filter((part) => part.includes("session_data"))
		.join("; ");
	return { ...instance, a, b, cookie, cachedOnly, token: body.token as string };
}

describe.each(strategies)("a session in a %s cookie", (strategy) => {
	const world = useWorld(() => setUp(strategy));
	const withoutJwt = useWorld(() => setUp(strategy, [bearer(), oneTimeToken()]));

	it("of A is rejected in B, by cookie and by bearer token", async () => {
		const { call, b, cookie, cachedOnly, token } = world();
		const authorization = `Bearer ${token}`;
		for (const sent of [cookie, cachedOnly]) {
			const answer = await call("/get-session", {
				cookie: sent,
				headers: { authorization, "x-tenant-id": b },
			});
			expect(answer.body).toBeNull();
			const update = await call("/update-user", {
				cookie: sent,
				headers: { authorization, "x-tenant-id": b },
				body: { name: "Taken over" },
			});
			expect(update.status).toBe(401);
		}
	});

	it("of A is rejected in a call that runs in B", async () => {
		const { auth, a, b, cookie } = world();
		const read = () => auth.api.getSession({ headers: new Headers({ cookie }) });
		expect(await runInTenant(auth, b, read)).toBeNull();
		expect(await runInTenant(auth, a, read)).toMatchObject({ session: { tenantId: a } });
	});

	it("is taken from the cookie if the request names no tenant", async () => {
		const { call, a, cookie, statements } = withoutJwt();
		statements.length = 0;
		const answer = await call("/get-session", { cookie });
		expect(answer.body.session.tenantId).toBe(a);
		expect(statements).toEqual([]);
	});

	it("is read from the database if the request names its tenant", async () => {
		const { call, a, cookie, statements } = withoutJwt();
		statements.length = 0;
		const answer = await call("/get-session", { cookie, tenant: a });
		expect(answer.body.session.tenantId).toBe(a);
		expect(statements.filter((sql) => sql.includes('from "session"'))).toHaveLength(1);
	});

	it("creates no JWT in a call of auth.api inside of a request, after a suspension", async () => {
		const tokens: unknown[] = [];
		const { auth, call, manage, a, cookie } = await setUp(strategy, [
			jwt() as BetterAuthPlugin,
			{
				id: "nested",
				hooks: {
					before: [
						{
							matcher: ({ path }) => path === "/ok",
							handler: createAuthMiddleware(async () => {
								const { getToken } = auth.api as unknown as TokenApi;
								const asked = getToken({ headers: new Headers({ cookie }) });
								tokens.push(await asked.catch(({ status }) => status));
							}),
						},
					],
				},
			},
		]);
		await manage("/tenant/suspend", { body: { tenantId: a } });
		await call("/ok");
		expect(tokens).toEqual(["UNAUTHORIZED"]);
	});

	it.each(["suspend", "delete"])("creates no JWT after a %s", async (change) => {
		const { call, manage, a, cookie } = world();
		const read = () => call("/get-session", { cookie });
		expect((await read()).headers.get("set-auth-jwt")).toMatch(/^ey/);
		await manage(`/tenant/${change}`, { body: { tenantId: a } });
		expect((await read()).headers.get("set-auth-jwt")).toBeNull();
	});

	it.each(["suspend", "delete"])("is neither renewed nor used after a %s", async (change) => {
		const { call, manage, a, cookie } = world();
		const calls: [string, object][] = [
			["/update-user", { body: { name: "Still here" } }],
			["/list-sessions", {}],
			["/token", {}],
			["/one-time-token/generate", {}],
		];
		for (const [path, options] of notEmpty(calls)) {
			expect([path, (await call(path, { ...options, cookie })).status]).toEqual([path, 200]);
		}
		await manage(`/tenant/${change}`, { body: { tenantId: a } });
		for (const [path, options] of notEmpty(calls)) {
			const answer = await call(path, { ...options, cookie });
			expect([path, answer.status, answer.cookie]).toEqual([path, 401, ""]);
		}
	});
});

it("without a database, a session of a suspended tenant is not renewed past maxAge", async () => {
	stopClock();
	const { handler, api } = betterAuth({
		secret: "a secret of thirty-two characters or more",
		baseURL: ORIGIN,
		logger: { disabled: true },
		emailAndPassword: { ...cheapPasswords, enabled: true },
		session: { cookieCache: { enabled: true, maxAge: 60, refreshCache: true } },
		plugins: [tenantAuth()],
	});
	const { id: tenantId } = await api.createTenant({ body: { name: "Acme", slug: "acme" } });
	const { headers } = await api.signUpEmailTenant({
		body: { tenantId, name: "Ada", email: EMAIL, password: PASSWORD },
		returnHeaders: true,
	});
	const cookies = new Map<string, string>();
	const keep = (sent: Headers) => {
		for (const cookie of sent.getSetCookie()) {
			const [name = "", value = ""] = (cookie.split(";")[0] ?? "").split("=");
			cookies.set(name, value);
		}
	};
	keep(headers);
	/** As a browser: it sends the newest cookies. */
	const read = async () => {
		const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
		const url = `${ORIGIN}/api/auth/get-session`;
		const response = await handler(new Request(url, { headers: { cookie } }));
		keep(response.headers);
		return response.json();
	};
	expect(await read()).toMatchObject({ session: { tenantId } });
	await api.suspendTenant({ body: { tenantId } });
	for (const _ of [1, 2]) {
		vi.setSystemTime(Date.now() + 50_000);
		await read();
	}
	expect(await read()).toBeNull();
});
