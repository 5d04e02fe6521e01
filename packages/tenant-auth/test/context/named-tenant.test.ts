import type { BetterAuthOptions } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import { getCurrentTenantId } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { makeGate } from "../support/processes/gate";
import { makeInstance } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";

const email = "ada@example.com";
const password = "correct horse battery";
const NOT_FOUND = [404, "TENANT_NOT_FOUND"];
const SUSPENDED = [403, "TENANT_SUSPENDED"];

const codeOf = ({ status, body }: { status: number; body: { code?: string } | null }) => [
	status,
	body?.code,
];

/** Both ways to sign in by e-mail. */
const ways = [
	["/tenant/sign-in/email", (tenantId: string) => ({ body: { tenantId, email, password } })],
	["/sign-in/email", (tenant: string) => ({ body: { email, password }, tenant })],
] as const;

/** A sign-in looks the tenant up only if no user is found in it. */
describe.each(ways)("the tenant that %s names", (path, naming) => {
	it("is told to be missing before any password is hashed", async () => {
		let hashes = 0;
		const hash = async (text: string) => {
			hashes += 1;
			return text;
		};
		const host = await makeInstance({
			emailAndPassword: { enabled: true, password: { hash, verify: async () => true } },
		});
		await host.signUp(await host.makeTenant(), email, password);
		hashes = 0;
		expect(codeOf(await host.call(path, naming("nobody")))).toEqual(NOT_FOUND);
		expect(hashes).toBe(0);
	});

	it("is told to be suspended whatever the password", async () => {
		const host = await makeInstance();
		const tenantId = await host.makeTenant();
		await host.signUp(tenantId, email, "another password");
		await host.manage("/tenant/suspend", { body: { tenantId } });
		expect(codeOf(await host.call(path, naming(tenantId)))).toEqual(SUSPENDED);
	});

	it("is told to be suspended to somebody who is no user of it", async () => {
		const host = await makeInstance();
		const tenantId = await host.makeTenant();
		await host.manage("/tenant/suspend", { body: { tenantId } });
		expect(codeOf(await host.call(path, naming(tenantId)))).toEqual(SUSPENDED);
	});

	it("is there, or refused, for a hook of the host that asks first", async () => {
		const seen: (string | null)[] = [];
		const before = createAuthMiddleware(async () => {
			seen.push(await getCurrentTenantId());
		});
		const host = await makeInstance({ hooks: { before } });
		const tenantId = await host.makeTenant();
		await host.signUp(tenantId, email, password);
		seen.length = 0;
		expect((await host.call(path, naming(tenantId))).status).toBe(200);
		expect(seen.at(-1)).toBe(tenantId);
		seen.length = 0;
		expect(codeOf(await host.call(path, naming("nobody")))).toEqual(NOT_FOUND);
		expect(seen).not.toContain("nobody");
	});

	it("counts, and not the one of a session that a hook asks for", async () => {
		const seen: unknown[] = [];
		const before = createAuthMiddleware(async (ctx) => {
			if (ctx.path === "/sign-in/email") seen.push(await getSessionFromCtx(ctx));
		});
		const options: Partial<BetterAuthOptions> = { hooks: { before } };
		const host = await makeInstance(options);
		const [own, other] = [await host.makeTenant(), await host.makeTenant()];
		await host.signUp(own, email, password);
		const { cookie } = await host.signUp(other, email, password);
		const answer = await host.call(path, { ...naming(own), cookie });
		expect(answer.body.user.tenantId).toBe(own);
		expect(seen).toEqual([null]);
	});
});

const stores = sessionStores.filter(([, store]) => !store().session?.cookieCache);

describe.each(stores)("a tenant that is being deleted, its sessions %s", (_, options) => {
	/** Stops at the first user until the gate opens. */
	async function beginDeleting(end: () => void) {
		const [gate, begun] = [makeGate(), makeGate()];
		const hold = async () => {
			begun.open();
			await gate.opened;
			end();
		};
		const databaseHooks = { user: { delete: { before: hold } } };
		const host = await makeInstance({ ...options(), databaseHooks });
		const tenantId = await host.makeTenant();
		const { cookie } = await host.signUp(tenantId, email, password);
		const deleting = host.manage("/tenant/delete", { body: { tenantId } });
		await begun.opened;
		return { ...host, tenantId, cookie, deleting, gate };
	}

	const expectNobody = async (host: Awaited<ReturnType<typeof beginDeleting>>) => {
		const { tenantId, cookie, call } = host;
		for (const [path, naming] of notEmpty(ways)) {
			expect(codeOf(await call(path, naming(tenantId)))).toEqual(NOT_FOUND);
		}
		expect((await call("/get-session", { cookie })).body).toBeNull();
		expect(codeOf(await call("/get-session", { cookie, tenant: tenantId }))).toEqual(NOT_FOUND);
		expect((await call("/update-user", { cookie, body: { name: "Ada L." } })).status).toBe(401);
	};

	it("lets nobody in, and no session of it counts", async () => {
		const host = await beginDeleting(() => {});
		await expectNobody(host);
		host.gate.open();
		expect((await host.deleting).status).toBe(200);
		expect((await host.call("/get-session", { cookie: host.cookie })).body).toBeNull();
	});

	it("stays like that where deleting failed half-way", async () => {
		const host = await beginDeleting(() => {
			throw new Error("the host's hook fails");
		});
		host.gate.open();
		expect((await host.deleting).status).toBe(500);
		await expectNobody(host);
	});
});
