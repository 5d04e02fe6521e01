import { lastLoginMethod, magicLink } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { EMAIL, type InstanceOptions } from "../support/worlds/instance";
import { makeTwoUsers, orders } from "../support/worlds/two-tenants";
import { useWorld } from "../support/worlds/world";

async function setUp(options: InstanceOptions = {}) {
	const mails: string[] = [];
	const app = await makeTwoUsers({
		...options,
		plugins: [
			lastLoginMethod({ storeInDatabase: true }),
			magicLink({
				sendMagicLink: async ({ url }) => {
					mails.push(url);
				},
			}),
		],
	});
	const clickLink = async (tenant: string) => {
		await app.call("/sign-in/magic-link", { tenant, body: { email: EMAIL } });
		return app.call(app.pathOf(`${mails.at(-1)}`));
	};
	const stored = async () => {
		const rows = await app.db.selectFrom("user").select(["tenantId", "lastLoginMethod"]).execute();
		return new Map(rows.map((row) => [row.tenantId, row.lastLoginMethod]));
	};
	return { ...app, clickLink, stored };
}

describe.each(orders)("the last login method, with the plugin %s,", (_, order) => {
	const world = useWorld(() => setUp(order()));

	it("is stored at a sign-up and a sign-in in a tenant", async () => {
		const { a, b, ada, signIn, stored } = world();
		const cookie = "better-auth.last_used_login_method=email";
		expect(ada.cookie).toContain(cookie);
		expect((await signIn(a)).cookie).toContain(cookie);
		const methods = await stored();
		expect([methods.get(a), methods.get(b)]).toEqual(["email", "email"]);
	});

	it("changes for the user of the tenant only", async () => {
		const { a, b, clickLink, stored } = world();
		const clicked = await clickLink(a);
		expect(clicked.cookie).toContain("last_used_login_method=magic-link");
		const methods = await stored();
		expect([methods.get(a), methods.get(b)]).toEqual(["magic-link", "email"]);
	});
});
