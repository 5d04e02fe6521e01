import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { IMPERSONATION_PATHS } from "../../src/call/context/impersonation";
import { attack, type Call } from "../matrix/attack";
import { coreRows } from "../matrix/core";
import { makeCoreWorld } from "../matrix/core-world";
import { describeAllPlugins } from "../matrix/plugins/all-plugins";
import type { PluginMatrix } from "../matrix/plugins/matrix";
import { makePluginWorld } from "../matrix/plugins/world";
import { readTables } from "../support/databases/sqlite-rows";
import { makeTarget, managedRoutes, validCall } from "../support/http/endpoint-calls";
import { type Instance, makeInstance } from "../support/worlds/instance";
import { addPerson, makePeople } from "../support/worlds/people";
import { someOf } from "../support/worlds/variations";
import { saveWorld, useWorld } from "../support/worlds/world";

/** Tables whose rows let somebody in, or decide who may. */
const WAYS_IN = [
	"account",
	"apikey",
	"deviceCode",
	"invitation",
	"member",
	"oauthAccessToken",
	"oauthClient",
	"oauthConsent",
	"oauthRefreshToken",
	"passkey",
	"scimManagedCredential",
	"session",
	"ssoProvider",
	"tenantInvitation",
	"twoFactor",
	"user",
	"verification",
];

/** What the use of a session or of a key changes. */
const CHANGING =
	/"(updatedAt|expiresAt|activeOrganizationId|activeTeamId|device|lastRequest|requestCount)":("[^"]*"|\d+|null),?/g;

/** Their calls bring a session of their own. */
const WITH_OTHER_SESSION = ["stopImpersonating", "oauth2EndSessionConfirmation"];

interface World extends Instance {
	a: { tenantId: string; userId: string };
	close?: () => Promise<unknown>;
}

type Attempts<W> = Record<string, { tries: string; call: (world: W) => Call }[]>;

const impersonate = async ({ manage }: Instance, { tenantId, userId }: World["a"]) => {
	const body = { tenantId, userId, reason: "A ticket", setCookie: true };
	return (await manage("/tenant/user/impersonate", { body })).cookie;
};

describe("whoever impersonates a user", () => {
	const tried = new Set<string>();

	/** A's own calls, by somebody who impersonates A's user. */
	function describeCalls<W extends World>(
		title: string,
		make: () => Promise<W>,
		attempts: Attempts<W>,
	): void {
		const all = Object.entries(attempts).flatMap(([name, some]) =>
			someOf(some, 1, 0).map((attempt) => [name, attempt.tries, attempt] as const),
		);
		describe(title, () => {
			const world = useWorld(async () => {
				const made = await make();
				return { ...made, mask: await impersonate(made, made.a) };
			});
			let restore = () => {};
			beforeAll(() => {
				restore = saveWorld(world());
			});
			afterAll(async () => {
				await world().close?.();
			});

			const read = () =>
				readTables(world())
					.filter(({ name }) => WAYS_IN.includes(name))
					.map(({ name, rows }) => [name, JSON.stringify(rows).replace(CHANGING, "")]);

			it.each(all)("%s: is nobody there, or only reads (A %s)", async (name, _, attempt) => {
				const { a, auth, mask } = world();
				const endpoints = auth.api as unknown as Record<string, { path?: string }>;
				const path = endpoints[name]?.path ?? "";
				tried.add(path);
				const call = attempt.call(world());
				const as = (cookie: string) => attack(world(), call, { cookie, tenant: a.tenantId });
				const before = read();
				if (call.cookie?.includes("session_token=")) {
					expect(WITH_OTHER_SESSION).toContain(name);
				} else if (path === "/sign-out") {
					expect((await as(mask)).status).toBe(200);
				} else if (IMPERSONATION_PATHS.has(path)) {
					await as(mask);
					expect(read()).toEqual(before);
				} else {
					const impersonated = await as(mask);
					restore();
					const signedOut = await as("");
					expect([impersonated.status, impersonated.body?.code]).toEqual([
						signedOut.status,
						signedOut.body?.code,
					]);
				}
			});
		});
	}

	describeCalls("at endpoints of core", makeCoreWorld, coreRows);
	describeAllPlugins(<Own>(matrix: PluginMatrix<Own>) => {
		const { plugin, rows, core = {} } = matrix;
		describeCalls(`with ${plugin}`, () => makePluginWorld(matrix), { ...rows, ...core });
		return plugin;
	});

	it("is served at paths that exist, and each was tried", async () => {
		const { auth } = await makeInstance();
		const own = Object.values(auth.api as Record<string, { path?: string }>)
			.map(({ path = "" }) => path)
			.filter((path) => path.startsWith("/tenant/"));
		const known = [...own, ...tried];
		expect([...IMPERSONATION_PATHS].filter((path) => !known.includes(path))).toEqual([]);
	});

	it("manages nothing", async () => {
		const app = await makeInstance();
		const target = await makeTarget(app);
		const { id } = await addPerson(app, target.tenantId, "owner");
		const cookie = await impersonate(app, { tenantId: target.tenantId, userId: id });
		for (const { name, path } of notEmpty(managedRoutes)) {
			const { status } = await app.call(path, { ...validCall(name, target), cookie });
			expect([path, status]).toEqual([path, 403]);
		}
	});

	it("accepts no invitation for them", async () => {
		const { call, manage, member, tenantId, read } = await makePeople();
		const body = { tenantId, email: member.email, role: "admin" };
		const { token } = (await manage("/tenant/invitation/create", { body })).body;
		await manage("/tenant/user/update", {
			body: { tenantId, userId: member.id, emailVerified: true },
		});
		const { cookie } = await manage("/tenant/user/impersonate", {
			body: { tenantId, userId: member.id, reason: "A ticket", setCookie: true },
		});
		const accept = (as: string) =>
			call("/tenant/invitation/accept", { body: { token }, cookie: as });
		expect((await accept(cookie)).body.status).toBe("sign-in-required");
		expect((await read(member))?.tenantRole).toBe("member");
		expect((await accept(member.cookie)).body.status).toBe("accepted");
	});
});

describe("an endpoint of the app's own plugin", () => {
	const invoices = {
		id: "invoices",
		endpoints: {
			listInvoices: createAuthEndpoint(
				"/invoices/list",
				{ method: "GET", use: [sessionMiddleware] },
				async (ctx) => ctx.json({ of: ctx.context.session.user.id }),
			),
		},
	} satisfies BetterAuthPlugin;

	it.each([
		["is not", [], 401],
		["is, if the app says so,", ["/invoices/list"], 200],
	])("%s open to whoever impersonates a user", async (_, impersonationPaths, status) => {
		const tenants = { impersonationPaths };
		const { call, member, tenantId, ...app } = await makePeople({ plugins: [invoices], tenants });
		const cookie = await impersonate({ ...app, call }, { tenantId, userId: member.id });
		expect((await call("/invoices/list", { cookie })).status).toBe(status);
		const own = await call("/invoices/list", { cookie: member.cookie });
		expect(own.body).toEqual({ of: member.id });
	});
});
