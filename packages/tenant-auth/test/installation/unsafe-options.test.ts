import type { BetterAuthOptions } from "better-auth";
import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { admin } from "better-auth/plugins";
import { type TenantAuthOptions, tenantAuth, tenantHosts } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { keepLog } from "../support/processes/kept-log";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";

const start = async (options: InstanceOptions) => (await makeInstance(options)).auth.$context;

describe("adminRoles stops the start if", () => {
	const tenants = { adminRoles: ["admin"] };

	it("the user has no role", async () => {
		await expect(start({ tenants })).rejects.toThrow("adminRoles needs a role of the user");
	});

	it.each([
		["by default", { type: "string" }],
		["because it says so", { type: "string", input: true }],
	] as const)("clients can write the role, %s", async (_, role) => {
		const user = { additionalFields: { role } };
		await expect(start({ tenants, user })).rejects.toThrow(
			"adminRoles trusts user.role, but clients can write it at sign-up",
		);
	});
});

describe("userFields stop the start if", () => {
	const userFields = { company: { type: "string", required: false } } as const;

	it("Better Auth does not have them", async () => {
		const message = "userFields has company, but Better Auth's user.additionalFields has not";
		await expect(start({ tenants: { userFields } })).rejects.toThrow(message);
		const user = { additionalFields: userFields };
		await expect(start({ tenants: { userFields }, user })).resolves.toBeDefined();
	});
});

describe("adminRoles can be used", () => {
	const tenants = { adminRoles: ["admin"] };
	const writable = { additionalFields: { role: { type: "string" } } } as const;
	const protectedRole = { additionalFields: { role: { type: "string", input: false } } } as const;

	it.each([
		["with the admin plugin", { plugins: [admin()] }],
		["with the admin plugin listed first", { plugins: [admin()], pluginsFirst: true }],
		["with a role that clients cannot write", { user: protectedRole }],
	] as [string, InstanceOptions][])("%s", async (_, options) => {
		await expect(start({ tenants, ...options })).resolves.toBeDefined();
	});

	it("with the admin plugin over a field of the app, because the plugin's field wins", async () => {
		const { auth, call } = await makeInstance({ tenants, user: writable, plugins: [admin()] });
		await auth.$context;
		const body = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		const { body: answer } = await call("/sign-up/email", { body: { ...body, role: "admin" } });
		expect(answer.user?.role ?? null).not.toBe("admin");
	});
});

describe("adminUserIds with counted ids", () => {
	const advanced = { database: { generateId: "serial" } } as const;

	it("stop the start on SQLite, which uses the id of a deleted user again", async () => {
		const tenants = { adminUserIds: ["1"] };
		const message = 'adminUserIds cannot be used with generateId "serial" on SQLite';
		await expect(start({ tenants, advanced })).rejects.toThrow(message);
		await expect(start({ tenants, advanced, usePlural: true })).rejects.toThrow(message);
	});

	it("can be used if there are none, and with other ids", async () => {
		await expect(start({ tenants: { adminUserIds: [] }, advanced })).resolves.toBeDefined();
		await expect(start({ tenants: { adminUserIds: ["1"] } })).resolves.toBeDefined();
	});
});

describe("the base URL", () => {
	const hosts = tenantHosts({ domain: "example.com" });
	const startAt = async (baseURL: BetterAuthOptions["baseURL"], options: TenantAuthOptions) => {
		const { lines, logger } = keepLog();
		await betterAuth({
			secret: "a secret of thirty-two characters or more",
			...(baseURL ? { baseURL } : {}),
			logger,
			database: memoryAdapter({}),
			plugins: [tenantAuth(options)],
		}).$context;
		return lines.filter((line) => line.startsWith("tenantAuth:"));
	};

	it.each([
		["a text", "https://example.com"],
		["missing", undefined],
		["of other hosts", { allowedHosts: ["*.example.org"] }],
		["of fewer hosts", { allowedHosts: ["example.com"] }],
	])("stops the start with hosts if it is %s", async (_, baseURL) => {
		await expect(startAt(baseURL, { hosts })).rejects.toThrow(
			"Write betterAuth({ baseURL: hosts.baseURL, … })",
		);
	});

	it("of many hosts is logged as a warning if resolveTenantId may tell them apart", async () => {
		const baseURL = { allowedHosts: ["*.example.com"] };
		expect(await startAt(baseURL, { resolveTenantId: () => null })).toEqual([
			expect.stringContaining("use tenantHosts()"),
		]);
		expect(await startAt(baseURL, {})).toEqual([]);
		expect(await startAt(hosts.baseURL, { hosts, resolveTenantId: () => null })).toEqual([]);
	});
});
