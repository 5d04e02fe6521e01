import { runInTenant } from "better-auth-tenant";
import { expect, it } from "vitest";
import { makeMemoryStorage } from "../support/databases/memory-storage";
import { makeInstance } from "../support/worlds/instance";

it("a verification that is over when it is made is never written to a storage, which would refuse", async () => {
	const storage = makeMemoryStorage();
	const written: (number | undefined)[] = [];
	const { auth, makeTenant } = await makeInstance({
		secondaryStorage: {
			...storage,
			set: (key, value, ttl) => {
				written.push(ttl);
				return storage.set(key, value, ttl);
			},
		},
	});
	const { internalAdapter } = await auth.$context;
	const make = async (expiresAt: Date) => {
		written.length = 0;
		await internalAdapter.createVerificationValue({ identifier: "i", value: "v", expiresAt });
		return [...written];
	};
	await runInTenant(auth, await makeTenant(), async () => {
		expect(await make(new Date(Date.now() - 1000))).toEqual([]);
		expect((await make(new Date(Date.now() + 60_000))).every((ttl) => Number(ttl) > 0)).toBe(true);
	});
});
