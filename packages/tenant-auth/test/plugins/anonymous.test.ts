import { anonymous, magicLink } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import type { InstanceOptions } from "../support/instance";
import { sessionStores } from "../support/session-stores";
import { makeTwoUsers, orders, PASSWORD, SAME } from "../support/two-tenants";

async function setUp(options: InstanceOptions = {}) {
	const linked: unknown[][] = [];
	const mails: string[] = [];
	const app = await makeTwoUsers({
		...options,
		plugins: [
			anonymous({
				onLinkAccount: async ({ anonymousUser, newUser }) => {
					linked.push([anonymousUser.user.id, newUser.user.id]);
				},
			}),
			magicLink({
				sendMagicLink: async ({ url }) => {
					mails.push(url);
				},
			}),
		],
	});
	const guest = await app.call("/sign-in/anonymous", { tenant: app.a, body: {} });
	const guestId = guest.body.user.id as string;
	const isThere = async () =>
		(await app.db.selectFrom("user").where("id", "=", guestId).select("id").execute()).length === 1;
	/** Every way in to a tenant, from the browser of the guest. */
	const ways: Record<string, (tenant: string) => Promise<unknown>> = {
		"sign-up": (tenantId) =>
			app.call("/tenant/sign-up/email", {
				cookie: guest.cookie,
				body: { tenantId, name: "New", email: "new@example.com", password: PASSWORD },
			}),
		"sign-in": (tenant) => app.signIn(tenant, guest.cookie),
		"sign-up at core's path": (tenant) =>
			app.call("/sign-up/email", {
				tenant,
				cookie: guest.cookie,
				body: { name: "New", email: "new@example.com", password: PASSWORD },
			}),
		"a magic link": async (tenant) => {
			await app.call("/sign-in/magic-link", { tenant, body: { email: SAME } });
			return app.call(app.pathOf(`${mails.at(-1)}`), { cookie: guest.cookie });
		},
	};
	return { ...app, guest, guestId, linked, isThere, ways };
}

const WAYS = ["sign-up", "sign-in", "sign-up at core's path", "a magic link"];
const cases = [
	...sessionStores.map(([name, store]) => [name, store] as const),
	...orders.map(([name, order]) => [name, () => order] as const),
] as [string, () => InstanceOptions][];

describe.each(cases)("an anonymous user with a session %s", (_, options) => {
	it("is one of the tenant that was named", async () => {
		const { a, b, guest, sessionOf } = await setUp(options());
		expect((await sessionOf(guest.cookie)).user).toMatchObject({ tenantId: a, isAnonymous: true });
		expect(await sessionOf(guest.cookie, b)).toBeNull();
	});

	it.each(WAYS)("is linked after %s in the same tenant", async (way) => {
		const { a, guestId, linked, isThere, ways } = await setUp(options());
		await ways[way]?.(a);
		expect(linked).toEqual([[guestId, expect.any(String)]]);
		expect(await isThere()).toBe(false);
	});

	it.each(WAYS)("is never linked after %s in another tenant", async (way) => {
		const { b, linked, isThere, ways } = await setUp(options());
		await ways[way]?.(b);
		expect(linked).toEqual([]);
		expect(await isThere()).toBe(true);
	});

	it("is not deleted through another tenant", async () => {
		const { call, a, b, guest, isThere } = await setUp(options());
		const remove = (tenant: string) =>
			call("/delete-anonymous-user", { tenant, cookie: guest.cookie, body: {} });
		expect((await remove(b)).status).toBe(401);
		expect(await isThere()).toBe(true);
		expect((await remove(a)).status).toBe(200);
		expect(await isThere()).toBe(false);
	});
});
