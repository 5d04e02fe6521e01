import { siwe } from "better-auth/plugins";
import { runInTenant } from "better-auth-tenant";
import { describe, expect, it } from "vitest";
import { EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoTenants, orders, stores } from "../support/worlds/two-tenants";
import { combine } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

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
		const body = { message, signature: `signed ${message}`, email: EMAIL };
		return call("/siwe/verify", { body, ...(tenant ? { tenant } : {}) });
	};
	return { ...app, nonceIn, enter };
}

/** Core reserves an email in the database only. */
const reservesEmails = ({ secondaryStorage, verification }: InstanceOptions) =>
	!secondaryStorage || verification !== undefined;

describe.each(combine(stores, orders))("a wallet, with nonces %s,", (_, choose) => {
	const world = useWorld(() => setUp(choose()));

	it("has one user in each tenant", async () => {
		const { a, b, nonceIn, enter, sessionOf, db, options } = world();
		const users: string[] = [];
		for (const tenant of [a, b, undefined]) {
			const first = await enter(await nonceIn(tenant), tenant);
			expect(first.status).toBe(200);
			const session = await sessionOf(first.cookie);
			expect(session.user.tenantId).toBe(tenant ?? null);
			if (reservesEmails(options)) expect(session.user.email).toBe(EMAIL);
			users.push(session.user.id);
			const again = await enter(await nonceIn(tenant), tenant);
			expect((await sessionOf(again.cookie)).user.id).toBe(session.user.id);
			const elsewhere = await enter(await nonceIn(tenant), tenant, 137);
			expect((await sessionOf(elsewhere.cookie)).user.id).toBe(session.user.id);
		}
		expect(new Set(users).size).toBe(3);
		expect(await db.selectFrom("walletAddress").select("id").execute()).toHaveLength(6);
	});

	it.runIf(reservesEmails(choose()))(
		"reserves an email although a user of another tenant reserves it too",
		async () => {
			const { a, b, auth } = world();
			const { internalAdapter } = await auth.$context;
			const expiresAt = new Date(Date.now() + 60_000);
			const reservation = { identifier: `siwe-email-claim-${EMAIL}`, value: WALLET, expiresAt };
			const reserveIn = (tenantId: string) =>
				runInTenant(auth, tenantId, () => internalAdapter.reserveVerificationValue(reservation));
			expect([await reserveIn(a), await reserveIn(b)]).toEqual([true, true]);
			expect([await reserveIn(a), await reserveIn(b)]).toEqual([false, false]);
			expect(await internalAdapter.reserveVerificationValue(reservation)).toBe(true);
			expect(await internalAdapter.reserveVerificationValue(reservation)).toBe(false);
			await runInTenant(auth, a, () =>
				internalAdapter.consumeVerificationValue(reservation.identifier),
			);
			expect([await reserveIn(a), await reserveIn(b)]).toEqual([true, false]);
		},
	);

	it("signs in only with a nonce of the same tenant", async () => {
		const { a, b, nonceIn, enter } = world();
		const nonce = await nonceIn(a);
		for (const tenant of [b, undefined]) expect((await enter(nonce, tenant)).status).toBe(401);
		expect((await enter(nonce, a)).status).toBe(200);
		expect((await enter(nonce, a)).status).toBe(401);
	});
});
