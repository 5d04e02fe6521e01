import { cleanUp, tenantHosts } from "better-auth-tenant";
import { exportTenant } from "better-auth-tenant/imports";
import { describe, expect, it } from "vitest";
import { stopClock } from "../../../../testing/stopped-clock";
import { expectRefusal } from "../support/http/refusal";
import { EMAIL, type InstanceOptions, PASSWORD } from "../support/worlds/instance";
import { makeLinkedUsers, openBrowser } from "../support/worlds/linked-users";
import { addPerson } from "../support/worlds/people";
import { sessionStores } from "../support/worlds/session-stores";
import { orders } from "../support/worlds/two-tenants";
import { describeVariations } from "../support/worlds/variations";
import { useWorld } from "../support/worlds/world";

const cases: [string, () => InstanceOptions][] = [...sessionStores, ...orders];

describeVariations("linked users, with sessions stored %s,", cases, (options, it) => {
	const world = useWorld(() => makeLinkedUsers(options()));

	it("are in one list, and the person switches between them without a password", async () => {
		const { a, b, ada, bob, openLinked, eventsOf } = world();
		const browser = await openLinked();
		const userIn = (id: string, current: boolean) => ({
			tenant: { id, name: expect.any(String), slug: expect.any(String) },
			user: { name: "User", email: EMAIL, image: null },
			current,
		});
		expect(await browser.list()).toEqual([userIn(a, false), userIn(b, true)]);
		const tokenOfB = browser.token();

		const { status, body } = await browser.switchTo(a);
		expect([status, body.tenant.id]).toEqual([200, a]);
		expect(await browser.current()).toBe(a);
		expect(await browser.list()).toEqual([userIn(a, true), userIn(b, false)]);
		expect((await browser.switchTo(b)).status).toBe(200);
		expect(await browser.current()).toBe(b);
		// No session was made for the switch.
		expect(browser.token()).toBe(tokenOfB);

		const of = (action: string, { id }: { id: string }) => ({
			action,
			targetId: id,
			detail: null,
		});
		const inA = await eventsOf(a);
		expect(inA).toHaveLength(4);
		expect(inA).toEqual(
			expect.arrayContaining(
				["link:add", "link:enter", "link:leave"].map((action) => of(action, ada.body.user)),
			),
		);
		const inB = await eventsOf(b);
		expect(inB).toHaveLength(4);
		expect(inB).toEqual(
			expect.arrayContaining(
				["link:add", "link:enter", "link:leave"].map((action) => of(action, bob.body.user)),
			),
		);
	});

	it("are all signed out when one of them signs out", async () => {
		const { openLinked, a, b, call, eventsOf } = world();
		const browser = await openLinked();
		const before = browser.copy();
		expect((await browser.send("/sign-out", {})).status).toBe(200);
		expect([...browser.cookies.keys()].filter((name) => name.endsWith("tenant_links"))).toEqual([]);
		expectRefusal(await before.switchTo(a), 404, "LINK_NOT_FOUND");
		await browser.signIn(b);
		expect(await browser.list()).toEqual([]);
		const { body } = await call("/tenant/link/list", { cookie: "" });
		expect(body.code).toBe("UNAUTHORIZED");
		expect(await eventsOf(a)).not.toEqual([]);
	});

	it("stay signed in if the sign-out names another tenant, and so ends nothing", async () => {
		const { openLinked, a, b } = world();
		const browser = await openLinked();
		await browser.send("/sign-out", {}, { tenant: a });
		expect(await browser.current()).toBe(b);
		expect((await browser.switchTo(a)).status).toBe(200);
	});

	it("end their links in all browsers, from one of them", async () => {
		const { openLinked, a, b, ada, eventsOf } = world();
		const [one, other] = [await openLinked(), await openLinked()];
		await one.switchTo(a);
		expect((await one.send("/tenant/link/end", {})).body).toEqual({ success: true });
		expect(await one.list()).toEqual([]);
		expectRefusal(await one.switchTo(b), 404, "LINK_NOT_FOUND");
		// The other browser stays signed in to B.
		expect(await other.list()).toEqual([]);
		expectRefusal(await other.switchTo(a), 404, "LINK_NOT_FOUND");
		expect(await other.current()).toBe(b);
		expect(await eventsOf(a)).toContainEqual({
			action: "link:end",
			targetId: ada.body.user.id,
			detail: null,
		});
		// To end what has ended changes nothing.
		const before = await eventsOf(a);
		await one.send("/tenant/link/end", {});
		expect(await eventsOf(a)).toEqual(before);
	});

	it("cannot be switched to when a session of theirs has ended", async () => {
		const { openLinked, a, b, ada, bob, auth } = world();
		const browser = await openLinked();
		await auth.api.revokeTenantUserSessions({
			body: { tenantId: a, userId: ada.body.user.id },
		});
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
		expect(await browser.current()).toBe(b);

		const another = await openLinked();
		await auth.api.revokeTenantUserSessions({
			body: { tenantId: b, userId: bob.body.user.id },
		});
		expectRefusal(await another.switchTo(a), 404, "LINK_NOT_FOUND");
	});
});

describe("a link", () => {
	const world = useWorld(() => makeLinkedUsers());

	it("joins the users of three tenants", async () => {
		const { makeTenant, allow, signUp, openLinked, link, a, b } = world();
		const c = await makeTenant();
		await allow(c);
		await signUp(c);
		const browser = await openLinked();
		await link(browser, c);
		const tenants = async () =>
			(await browser.list()).map((it: { tenant: { id: string } }) => it.tenant.id);
		expect(await tenants()).toEqual([a, b, c]);
		expect((await browser.switchTo(a)).status).toBe(200);
		expect((await browser.switchTo(c)).status).toBe(200);
		// One of them leaves. The others stay linked.
		await browser.send("/tenant/link/end", {});
		expect(await browser.list()).toEqual([]);
		const { body } = await browser.send("/tenant/link/list");
		expect(body).toEqual({ users: [] });
	});

	it("is made again after a session has ended, and has one user of each tenant", async () => {
		const { openLinked, link, a, b, bob, auth } = world();
		const browser = await openLinked();
		await browser.switchTo(a);
		await auth.api.revokeTenantUserSessions({ body: { tenantId: b, userId: bob.body.user.id } });
		expectRefusal(await browser.switchTo(b), 404, "LINK_NOT_FOUND");
		const { body } = await link(browser, b);
		expect(body.users).toHaveLength(2);
		expect((await browser.switchTo(a)).status).toBe(200);
		expect((await browser.switchTo(b)).status).toBe(200);
	});

	it("expires after the days of the option", async () => {
		const { openLinked, a, b, db, auth } = world();
		const browser = await openLinked();
		const [row] = await db.selectFrom("tenantLink").select("expiresAt").execute();
		const days = (new Date(String(row?.expiresAt)).getTime() - Date.now()) / 86_400_000;
		expect(days).toBeGreaterThan(29);
		expect(days).toBeLessThanOrEqual(30);
		const past = new Date(Date.now() - 1000).toISOString();
		await db.updateTable("tenantLink").set({ expiresAt: past }).execute();
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
		expect(await cleanUp(auth)).toMatchObject({ links: 2 });
		expect(await browser.current()).toBe(b);
	});

	it("can be made again after it has expired, with the same sessions of one tenant", async () => {
		const { openLinked, link, db, a } = world();
		const browser = await openLinked();
		const past = new Date(Date.now() - 1000).toISOString();
		await db.updateTable("tenantLink").set({ expiresAt: past }).execute();
		await link(browser, a);
		expect(await browser.list()).toHaveLength(2);
	});

	it("ends with the browser if one of its users did not want to be remembered", async () => {
		const { open, a, b } = world();
		const browser = open();
		await browser.signIn(a, { rememberMe: false });
		const { body } = await browser.start();
		const signedIn = await browser.signIn(b);
		expect(signedIn.status).toBe(200);
		const finished = await browser.finish(body.linkCode);
		const keyring = (answer: typeof finished) =>
			answer.headers.getSetCookie().find((it) => it.includes("tenant_links="));
		expect(keyring(finished)).toMatch(/HttpOnly/i);
		expect(keyring(finished)).not.toMatch(/Max-Age/i);
		const switched = await browser.switchTo(a);
		const session = switched.headers.getSetCookie().find((it) => it.includes("session_token="));
		expect(session).not.toMatch(/Max-Age/i);
		const back = await browser.switchTo(b);
		expect(back.status).toBe(200);
	});

	it("does not shorten a session by the policy of the tenant that is left", async () => {
		const { openLinked, a, b, auth } = world();
		const browser = await openLinked();
		await auth.api.updateTenantPolicy({ body: { tenantId: b, session: { lifetime: 600 } } });
		const { headers } = await browser.switchTo(a);
		const cookie = headers.getSetCookie().find((it) => it.includes("session_token="));
		expect(Number(cookie?.match(/Max-Age=(\d+)/i)?.[1])).toBeGreaterThan(600);
	});

	it("needs the name of the tenant to switch to", async () => {
		const browser = await world().openLinked();
		expectRefusal(await browser.send("/tenant/link/switch", {}), 400, "TENANT_ID_REQUIRED");
	});

	it("needs a user of a tenant", async () => {
		const { open, call } = world();
		const body = { name: "Ada", email: EMAIL, password: PASSWORD };
		const platform = open();
		await platform.send("/sign-up/email", body);
		expectRefusal(await platform.start(), 403, "LINKS_NOT_ALLOWED");
		expectRefusal(await call("/tenant/link/start", { body: {} }), 401, "UNAUTHORIZED");
		expectRefusal(
			await call("/tenant/link/finish", { body: { linkCode: "x" } }),
			401,
			"UNAUTHORIZED",
		);
	});

	it("is limited to some calls in a minute", async () => {
		stopClock();
		const { open, a } = await makeLinkedUsers({ rateLimit: { enabled: true } });
		const browser = open();
		const statuses: number[] = [];
		for (let call = 0; call < 31; call += 1) statuses.push((await browser.switchTo(a)).status);
		expect(statuses.slice(0, 30).every((status) => status === 404)).toBe(true);
		expect(statuses[30]).toBe(429);
	});
});

describe("at the hosts of tenants that share their cookies", () => {
	const domain = { enabled: true, domain: "example.com" };
	const world = useWorld(() =>
		makeLinkedUsers({
			advanced: { crossSubDomainCookies: domain },
			tenants: { hosts: tenantHosts({ domain: "example.com" }) },
		}),
	);

	it("a person links two users, and switches at the host of the tenant to switch to", async () => {
		const { auth, call, a, b } = world();
		const hostOf = async (tenantId: string) => {
			const { slug } = await auth.api.getTenant({ query: { id: tenantId } });
			return `https://${slug}.example.com`;
		};
		const [hostA, hostB] = [await hostOf(a), await hostOf(b)];
		/** A browser whose pages are at one of the hosts. */
		const at = (origin: string, cookies?: [string, string][]) =>
			openBrowser(
				{
					call: (path, { headers, ...rest } = {}) =>
						call(`${origin}/api/auth${path}`, { ...rest, headers: { ...headers, origin } }),
				},
				cookies,
			);
		const person = { name: "Ada", email: EMAIL, password: PASSWORD };
		await at(hostB).send("/tenant/sign-up/email", person);
		const first = at(hostA);
		await first.send("/tenant/sign-up/email", person);
		const { body } = await first.start();
		const second = at(hostB, [...first.cookies]);
		await second.signIn(b);
		expect((await second.finish(body.linkCode)).body.users).toHaveLength(2);
		// At the host of B, A does not exist.
		expectRefusal(await second.switchTo(a), 404, "TENANT_NOT_FOUND");
		const third = at(hostA, [...second.cookies]);
		expect(await third.current()).toBeNull();
		const switched = await third.send("/tenant/link/switch", {});
		expect([switched.status, switched.body.tenant?.id]).toEqual([200, a]);
		expect(switched.headers.get("set-cookie")).toContain("Domain=example.com");
		expect(await third.current()).toBe(a);
		expect(await third.list()).toHaveLength(2);
	});
});

describe("a tenant", () => {
	const world = useWorld(() => makeLinkedUsers());

	it("forbids links until it allows them", async () => {
		const { makeTenant, signUp, open, openLinked, link, allow, auth } = world();
		const tenantId = await makeTenant();
		await signUp(tenantId);
		expect(await auth.api.getTenantLinkSettings({ query: { tenantId } })).toEqual({
			allowed: false,
		});
		const first = open();
		await first.signIn(tenantId);
		expectRefusal(await first.start(), 403, "LINKS_NOT_ALLOWED");
		const second = await openLinked();
		const { linkCode } = (await second.start()).body;
		await second.signIn(tenantId);
		expectRefusal(await second.finish(linkCode), 403, "LINKS_NOT_ALLOWED");
		await allow(tenantId);
		const third = await openLinked();
		await link(third, tenantId);
		expect(await third.list()).toHaveLength(3);
	});

	it("ends all links of its users when it forbids them, also if it allows them again", async () => {
		const { openLinked, allow, a, b, eventsOf } = world();
		const browser = await openLinked();
		await allow(a, false);
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
		await allow(a);
		expect(await browser.list()).toEqual([]);
		expectRefusal(await browser.switchTo(a), 404, "LINK_NOT_FOUND");
		expect(await browser.current()).toBe(b);
		expect(await eventsOf(a)).toContainEqual({
			action: "link-settings:update",
			targetId: null,
			detail: { allowed: false },
		});
	});

	it("lets only its owner allow links, and its admin see it", async () => {
		const app = world();
		const { a, b, call } = app;
		const [owner, admin, member] = [
			await addPerson(app, a, "owner"),
			await addPerson(app, a, "admin"),
			await addPerson(app, a, null),
		];
		const path = "/tenant/link-settings/update";
		const update = (cookie: string, tenantId = a) =>
			call(path, { cookie, body: { tenantId, allowed: false } });
		expectRefusal(await update(admin.cookie), 403, "ROLE_NOT_ALLOWED");
		expectRefusal(await update(member.cookie), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		expectRefusal(await update(owner.cookie, b), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
		expect((await update(owner.cookie)).body).toEqual({ allowed: false });
		const seen = await call("/tenant/link-settings/get", { cookie: admin.cookie });
		expect(seen.body).toEqual({ allowed: false });
	});

	it("has no rows of links when it is deleted, and none in its file", async () => {
		const { openLinked, a, b, auth, db } = world();
		await openLinked();
		const lines: { table?: string }[] = [];
		for await (const line of exportTenant(auth, a)) lines.push(JSON.parse(line));
		expect(JSON.stringify(lines)).toContain('"tenantLinkSetting"');
		expect(JSON.stringify(lines)).not.toContain('"tenantLink"');
		await auth.api.deleteTenant({ body: { tenantId: a } });
		for (const table of ["tenantLink", "tenantLinkSetting"]) {
			const rows = await db.selectFrom(table).select("tenantId").execute();
			expect(rows).toEqual([{ tenantId: b }]);
		}
	});
});
