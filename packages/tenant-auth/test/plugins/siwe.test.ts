import { siwe } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { makeTwoTenants, orders, stores } from "../support/two-tenants";

const WALLET = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F";
const DOMAIN = "example.com";

async function setUp(options: InstanceOptions = {}) {
	const wallets = siwe({
		domain: DOMAIN,
		anonymous: false,
		getNonce: async () => crypto.randomUUID().replaceAll("-", ""),
		verifyMessage: async ({ signature, message }) => signature === `signed ${message}`,
	});
	const app = await makeTwoTenants({ ...options, plugins: [wallets] });
	const { call } = app;
	const nonceIn = async (tenant?: string) => {
		const answer = await call("/siwe/nonce", { body: {}, ...(tenant ? { tenant } : {}) });
		return String(answer.body.nonce);
	};
	const enter = (nonce: string, tenant?: string, chainId = 1) => {
		const message = [
			`${DOMAIN} wants you to sign in with your Ethereum account:`,
			WALLET,
			"",
			"",
			`URI: https://${DOMAIN}`,
			"Version: 1",
			`Chain ID: ${chainId}`,
			`Nonce: ${nonce}`,
			`Issued At: ${new Date().toISOString()}`,
		].join("\n");
		const body = { message, signature: `signed ${message}`, email: "ada@example.com" };
		return call("/siwe/verify", { body, ...(tenant ? { tenant } : {}) });
	};
	return { ...app, nonceIn, enter };
}

describe.each(stores)("a wallet, with nonces kept %s,", (_, store) => {
	it.each(orders)("is one user in each tenant, plugin %s", async (__, order) => {
		const options = { ...store(), ...order };
		const { a, b, nonceIn, enter, sessionOf, db } = await setUp(options);
		const users: string[] = [];
		for (const tenant of [a, b, undefined]) {
			const first = await enter(await nonceIn(tenant), tenant);
			expect(first.status).toBe(200);
			const session = await sessionOf(first.cookie);
			expect(session.user.tenantId).toBe(tenant ?? null);
			// An address is claimed through a reservation, which core makes in the database only.
			const { secondaryStorage, verification } = options;
			if (!secondaryStorage || verification) expect(session.user.email).toBe("ada@example.com");
			users.push(session.user.id);
			const again = await enter(await nonceIn(tenant), tenant);
			expect((await sessionOf(again.cookie)).user.id).toBe(session.user.id);
			const elsewhere = await enter(await nonceIn(tenant), tenant, 137);
			expect((await sessionOf(elsewhere.cookie)).user.id).toBe(session.user.id);
		}
		expect(new Set(users).size).toBe(3);
		expect(await db.selectFrom("walletAddress").select("id").execute()).toHaveLength(6);
	});

	it("claims an address though another tenant's user is about to", async () => {
		const options = store();
		if (options.secondaryStorage && !options.verification) return;
		const { a, b, auth } = await setUp(options);
		const { internalAdapter } = await auth.$context;
		const expiresAt = new Date(Date.now() + 60_000);
		const claim = { identifier: "siwe-email-claim-ada@example.com", value: WALLET, expiresAt };
		const claimIn = (tenantId: string) =>
			runInTenant(auth, tenantId, () => internalAdapter.reserveVerificationValue(claim));
		expect([await claimIn(a), await claimIn(b)]).toEqual([true, true]);
		expect([await claimIn(a), await claimIn(b)]).toEqual([false, false]);
		expect(await internalAdapter.reserveVerificationValue(claim)).toBe(true);
		expect(await internalAdapter.reserveVerificationValue(claim)).toBe(false);
		await runInTenant(auth, a, () => internalAdapter.consumeVerificationValue(claim.identifier));
		expect([await claimIn(a), await claimIn(b)]).toEqual([true, false]);
	});

	it("signs in with a nonce of the same tenant alone", async () => {
		const { a, b, nonceIn, enter } = await setUp(store());
		const nonce = await nonceIn(a);
		for (const tenant of [b, undefined]) expect((await enter(nonce, tenant)).status).toBe(401);
		expect((await enter(nonce, a)).status).toBe(200);
		expect((await enter(nonce, a)).status).toBe(401);
	});
});
