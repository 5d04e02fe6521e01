import type { BetterAuthOptions } from "better-auth";
import { magicLink } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { digest } from "../../src/database/digest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { type InstanceOptions, makeInstance } from "../support/worlds/instance";

type Storage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

/** A storage that parses what it is given, as the one in Better Auth's own tests does. */
function makeParsingStorage(parse: "set" | "get"): Storage {
	const storage = makeMemoryStorage();
	const asJson = (value: unknown) => (value === null ? null : JSON.parse(String(value)));
	return {
		...storage,
		set: (key, value, ttl) =>
			storage.set(key, parse === "set" ? JSON.stringify(JSON.parse(value)) : value, ttl),
		get: async (key) => asJson(await storage.get(key)),
		getAndDelete: async (key) => asJson(await storage.getAndDelete(key)),
	};
}

async function makeApp(secondaryStorage: Storage, options: InstanceOptions = {}) {
	const links: string[] = [];
	const sendMagicLink = async ({ url }: { url: string }) => void links.push(url);
	const app = await makeInstance({
		...options,
		secondaryStorage,
		plugins: [magicLink({ sendMagicLink })],
	});
	const signIn = async (tenant?: string) => {
		const body = { email: "ada@example.com", callbackURL: "/" };
		const sent = await app.call("/sign-in/magic-link", { body, ...(tenant ? { tenant } : {}) });
		expect(sent.status).toBe(200);
		const { cookie } = await app.call(String(links.at(-1)));
		return (await app.call("/get-session", { cookie })).body;
	};
	return { ...app, links, signIn };
}

describe("a secondary storage", () => {
	it.each(["set", "get"] as const)("may parse JSON when it is asked to %s", async (when) => {
		const { signIn, makeTenant } = await makeApp(makeParsingStorage(when));
		expect((await signIn()).user).toMatchObject({ tenantId: null });
		const tenantId = await makeTenant();
		expect((await signIn(tenantId)).user).toMatchObject({ tenantId });
	});

	it("may parse the id of a tenant that is a number", async () => {
		const { signIn, makeTenant } = await makeApp(makeParsingStorage("get"), {
			advanced: { database: { generateId: "serial" } },
		});
		const tenantId = await makeTenant();
		expect((await signIn(tenantId)).user).toMatchObject({ tenantId: String(tenantId) });
	});

	it("contains nothing but JSON", async () => {
		const storage = makeMemoryStorage();
		const { signIn, makeTenant } = await makeApp(storage);
		await signIn();
		await signIn(await makeTenant());
		for (const [, value] of notEmpty(storage.entries())) {
			expect(() => JSON.parse(value)).not.toThrow();
		}
	});

	it("may still contain entries of earlier versions, which are bare ids", async () => {
		const storage = makeMemoryStorage();
		const { call, links, makeTenant } = await makeApp(storage);
		const tenantId = await makeTenant();
		for (const tenant of [tenantId, ""]) {
			const body = { email: "ada@example.com", callbackURL: "/" };
			await call("/sign-in/magic-link", { body, ...(tenant ? { tenant } : {}) });
			for (const [key] of notEmpty(storage.entries())) {
				if (key.startsWith("verification:tenant-of:")) storage.set(key, tenant || "platform");
			}
			const { cookie } = await call(String(links.at(-1)));
			const { body: session } = await call("/get-session", { cookie });
			expect(session.user).toMatchObject({ tenantId: tenant || null });
			for (const [key] of storage.entries()) storage.delete(key);
		}
	});
});

describe("a verification in a secondary storage", () => {
	it("has the identifier that the caller gave it, on the platform and in a tenant", async () => {
		const storage = makeMemoryStorage();
		const { auth, makeTenant } = await makeInstance({ secondaryStorage: storage });
		const { internalAdapter } = await auth.$context;
		const expiresAt = new Date(Date.now() + 60_000);
		const use = async () => {
			const data = { identifier: "my-code", value: "1", expiresAt };
			const created = await internalAdapter.createVerificationValue(data);
			expect(created).toMatchObject({ identifier: "my-code" });
			const updated = await internalAdapter.updateVerificationByIdentifier("my-code", {
				value: "2",
			});
			expect(updated?.identifier ?? "my-code").toBe("my-code");
			await internalAdapter.deleteVerificationByIdentifier(created.identifier);
			expect(await internalAdapter.findVerificationValue("my-code")).toBe(null);
		};
		await use();
		await runInTenant(auth, await makeTenant(), use);
	});

	it("leads to the tenant that made it, also if another one makes one of the same name", async () => {
		const storage = makeMemoryStorage();
		const { auth, makeTenant } = await makeInstance({ secondaryStorage: storage });
		const { internalAdapter } = await auth.$context;
		const expiresAt = new Date(Date.now() + 60_000);
		const data = { identifier: "token-of-a", value: "1", expiresAt };
		const [a, b] = [await makeTenant(), await makeTenant()];
		await runInTenant(auth, a, () => internalAdapter.createVerificationValue(data));
		await runInTenant(auth, b, () => internalAdapter.createVerificationValue(data));
		await internalAdapter.createVerificationValue(data);
		const entry = await storage.get(`verification:tenant-of:${await digest("token-of-a")}`);
		expect(JSON.parse(String(entry))).toEqual({ tenantId: a });
	});
});
