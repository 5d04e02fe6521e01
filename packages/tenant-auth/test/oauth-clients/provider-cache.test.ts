import { describe, expect, it } from "vitest";
import type { OAuthConfigRow } from "../../src/management/oauth-clients/config";
import { ProviderCache } from "../../src/management/oauth-clients/provider-cache";

const row = (change: Partial<OAuthConfigRow> = {}): OAuthConfigRow => ({
	id: "config",
	tenantId: "tenant",
	providerId: "gitlab",
	clientId: "encrypted id",
	clientSecret: "encrypted secret",
	scopes: null,
	redirectURI: null,
	options: null,
	trustEmails: null,
	enabled: true,
	failedAt: null,
	failure: null,
	createdAt: new Date(0),
	updatedAt: new Date(0),
	...change,
});

/** Builds something else each time. */
function counting() {
	let built = 0;
	return { build: async () => ++built };
}

describe("the cache of providers", () => {
	it("builds a provider once for the same row", async () => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		expect(await cache.get(row(), build)).toBe(1);
		expect(await cache.get(row(), build)).toBe(1);
	});

	it.each<Partial<OAuthConfigRow>>([
		{ id: "created again" },
		{ clientId: "encrypted again" },
		{ clientSecret: "encrypted again" },
		{ scopes: '["read_api"]' },
		{ redirectURI: "https://app.example.com/other" },
		{ options: '{"issuer":"https://gitlab.example.com"}' },
		{ trustEmails: '["example.com"]' },
	])("builds it again after a write in the same millisecond: %o", async (change) => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		await cache.get(row(), build);
		expect(await cache.get(row(change), build)).toBe(2);
		expect(cache.size).toBe(1);
	});

	it("does not build it again because a sign-in failed", async () => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		await cache.get(row(), build);
		const failed = row({ failedAt: new Date(), failure: "invalid_code" });
		expect(await cache.get(failed, build)).toBe(1);
	});

	it("keeps tenants and providers apart", async () => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		await cache.get(row(), build);
		expect(await cache.get(row({ tenantId: "other" }), build)).toBe(2);
		expect(await cache.get(row({ providerId: "github" }), build)).toBe(3);
		expect(await cache.get(row(), build)).toBe(1);
	});

	it("forgets a config that does not exist any more", async () => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		await cache.get(row(), build);
		cache.forget("tenant", "gitlab");
		expect(cache.size).toBe(0);
		expect(await cache.get(row(), build)).toBe(2);
	});

	it("keeps no more than its limit, and forgets what was used least recently", async () => {
		const cache = new ProviderCache<number>(2);
		const { build } = counting();
		const [one, two, three] = ["1", "2", "3"].map((tenantId) => row({ tenantId }));
		await cache.get(one ?? row(), build);
		await cache.get(two ?? row(), build);
		await cache.get(one ?? row(), build);
		await cache.get(three ?? row(), build);
		expect(cache.size).toBe(2);
		expect(await cache.get(one ?? row(), build)).toBe(1);
		expect(await cache.get(two ?? row(), build)).toBe(4);
		expect(cache.size).toBe(2);
	});

	it("builds once for calls at the same time", async () => {
		const cache = new ProviderCache<number>();
		const { build } = counting();
		const calls = Array.from({ length: 5 }, () => cache.get(row(), build));
		expect(await Promise.all(calls)).toEqual([1, 1, 1, 1, 1]);
	});

	it("does not let an older build replace a newer one", async () => {
		const cache = new ProviderCache<string>();
		let finish = (_: string) => {};
		const slow = cache.get(row(), () => new Promise((resolve) => (finish = resolve)));
		const changed = row({ clientSecret: "encrypted again" });
		await cache.get(changed, async () => "new");
		finish("old");
		expect(await slow).toBe("old");
		expect(await cache.get(changed, async () => "built again")).toBe("new");
	});

	it("keeps no failure, and gives each call an error of its own", async () => {
		const cache = new ProviderCache<number>();
		const fail = async () => {
			throw new Error("cannot be decrypted");
		};
		const calls = [cache.get(row(), fail), cache.get(row(), fail)];
		const [one, two] = await Promise.all(calls.map((call) => call.catch((error) => error)));
		expect(one).toBeInstanceOf(Error);
		expect(two).toBeInstanceOf(Error);
		// Core adds the headers of a call to its error.
		expect(one).not.toBe(two);
		expect(cache.size).toBe(0);
		expect(await cache.get(row(), counting().build)).toBe(1);
	});
});
