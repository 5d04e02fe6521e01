import { anonymous, magicLink } from "better-auth/plugins";
import { expect } from "vitest";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { sessionStores } from "../support/worlds/session-stores";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

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
	const exists = async () =>
		(await app.db.selectFrom("user").where("id", "=", guestId).select("id").execute()).length === 1;
	/** The ways to sign in to a tenant, in the browser of the guest. */
	const ways: Record<string, (tenant: string) => Promise<unknown>> = {
		"sign-up": (tenantId) =>
			app.call("/tenant/sign-up/email", {
				cookie: guest.cookie,
				body: { tenantId, name: "New", email: "new@example.com", password: PASSWORD },
			}),
		"sign-in": (tenant) => app.signIn(tenant, { cookie: guest.cookie }),
		"sign-up at the path of core": (tenant) =>
			app.call("/sign-up/email", {
				tenant,
				cookie: guest.cookie,
				body: { name: "New", email: "new@example.com", password: PASSWORD },
			}),
		"a magic link": async (tenant) => {
			await app.call("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
			return app.call(app.pathOf(`${mails.at(-1)}`), { cookie: guest.cookie });
		},
	};
	return { ...app, guest, guestId, linked, exists, ways };
}

const WAYS = ["sign-up", "sign-in", "sign-up at the path of core", "a magic link"];
const cases: [string, () => InstanceOptions][] = [...sessionStores, ...orders];

describeVariations("an anonymous user with a session %s", cases, (options, it) => {
	const world = useWorld(() => setUp(options()));

	it("belongs to the tenant that the request named", async () => {
		const { a, b, guest, sessionOf } = world();
		expect((await sessionOf(guest.cookie)).user).toMatchObject({ tenantId: a, isAnonymous: true });
		expect(await sessionOf(guest.cookie, b)).toBeNull();
	});

	it.each(WAYS)("is linked after %s in the same tenant", async (way) => {
		const { a, guestId, linked, exists, ways } = world();
		await ways[way]?.(a);
		expect(linked).toEqual([[guestId, expect.any(String)]]);
		expect(await exists()).toBe(false);
	});

	it.each(WAYS)("is never linked after %s in another tenant", async (way) => {
		const { b, linked, exists, ways } = world();
		await ways[way]?.(b);
		expect(linked).toEqual([]);
		expect(await exists()).toBe(true);
	});

	it("is not deleted through another tenant", async () => {
		const { call, a, b, guest, exists } = world();
		const remove = (tenant: string) =>
			call("/delete-anonymous-user", { tenant, cookie: guest.cookie, body: {} });
		expect((await remove(b)).status).toBe(401);
		expect(await exists()).toBe(true);
		expect((await remove(a)).status).toBe(200);
		expect(await exists()).toBe(false);
	});
});
