import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { stopClock } from "../../../../testing/stopped-clock";
import type { Browser } from "../support/http/browser";
import { type Person, useIdentityProvider } from "../support/providers/identity-provider";
import { type ChooserApp, errorIn, makeChooserApp } from "../support/worlds/chooser";
import { ORIGIN } from "../support/worlds/instance";
import { readSession } from "../support/worlds/social-app";

const gitlab = useIdentityProvider("gitlab");
const EVIL = "https://evil.example";

const at =
	(path: string) =>
	({ pathname }: URL): boolean =>
		pathname.endsWith(path);

async function refusal(response: Response): Promise<[number, string]> {
	const { code }: { code: string } = await response.json();
	return [response.status, code];
}

describe("in a sign-in through the chooser", () => {
	let app: ChooserApp;
	let person: Person;
	let ids: string[];

	beforeAll(async () => {
		app = await makeChooserApp(gitlab);
		person = app.newPerson();
		ids = await app.makeTenantsOf(person, 2);
	});

	const errorOf = ({ url }: { url: URL }) => url.searchParams.get("error");
	const NOT_FOUND = [404, "TENANT_CHOICE_NOT_FOUND"];

	/** Where the browser is about to go, without going there. */
	async function stopAt(path: string, browser = app.newBrowser()) {
		const single = app.newPerson();
		const [tenantId = ""] = await app.makeTenantsOf(single, 1);
		const { url } = await app.start(browser);
		const visit = await browser.follow(url, { as: single, until: at(path) });
		expect(visit.url.pathname.endsWith(path)).toBe(true);
		return { browser, tenantId, url: visit.url };
	}

	describe("the state", () => {
		it("of another browser finishes nothing, and stays valid in its own", async () => {
			const { browser, url, tenantId } = await stopAt("/tenant/callback/gitlab");
			const other = app.newBrowser();
			expect(errorOf(await other.follow(url))).toBe("state_mismatch");
			const started = (await app.start()).browser;
			expect(errorOf(await started.follow(url))).toBe("state_mismatch");
			await browser.follow(url);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
		});

		it("works once", async () => {
			const { browser, url } = await stopAt("/tenant/callback/gitlab");
			const cookies = browser.cookies.header(url, { crossSite: false, method: "GET" });
			await browser.follow(url, { until: at("/home") });
			const again = await app.call(url.href, { headers: { cookie: String(cookies) } });
			expect(again.headers.get("location")).toContain("error=state_mismatch");
			expect(again.cookie).not.toContain("session_token");
		});

		it("finishes nothing at the callback of the platform", async () => {
			const { browser, url } = await stopAt("/tenant/callback/gitlab");
			const visit = await browser.follow(url.href.replace("/tenant/callback/", "/callback/"));
			expect(errorOf(visit)).toBe("state_mismatch");
			expect(await readSession(browser)).toBeNull();
		});

		it("finishes nothing at the callback of another provider", async () => {
			const { browser, url } = await stopAt("/tenant/callback/gitlab");
			const visit = await browser.follow(url.href.replace("/callback/gitlab", "/callback/github"));
			expect(errorOf(visit)).toBe("state_mismatch");
		});

		it("of a tenant's flow does not start the chooser, and ends in that tenant", async () => {
			const [tenantId = ""] = ids;
			const browser = app.newBrowser();
			const response = await browser.fetch("/tenant/sign-in/social", {
				body: { tenantId, provider: "gitlab", callbackURL: "/home" },
			});
			const { url }: { url: string } = await response.json();
			const visit = await browser.follow(url, { as: person });
			expect(visit.visited.some(({ pathname }) => pathname.includes("/chooser/"))).toBe(false);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
		});

		it("of a tenant's flow is not replaced by that of the chooser in the same browser", async () => {
			const { browser, url } = await stopAt("/tenant/callback/gitlab");
			const [tenantId = ""] = ids;
			const response = await browser.fetch("/tenant/sign-in/social", {
				body: { tenantId, provider: "gitlab", callbackURL: "/home" },
			});
			const own: { url: string } = await response.json();
			const state = new URL(own.url).searchParams.get("state") ?? "";
			// The code of the one flow with the state of the other, in both directions.
			const mixed = new URL(url);
			mixed.searchParams.set("state", state);
			expect(errorOf(await browser.follow(mixed))).toBe("invalid_code");
			expect(await readSession(browser)).toBeNull();
		});
	});

	describe("the token", () => {
		it("of another browser neither lists tenants nor chooses one", async () => {
			const { browser, token } = await app.toChooser(person);
			const [tenantId = ""] = ids;
			const someone = (await app.toChooser(person)).browser;
			for (const other of notEmpty([app.newBrowser(), someone])) {
				const path = `/tenant/chooser/list?token=${token}`;
				expect(await refusal(await other.fetch(path))).toEqual(NOT_FOUND);
				expect(await refusal(await app.choose(other, token, tenantId))).toEqual(NOT_FOUND);
			}
			expect((await app.list(browser, token)).tenants).toHaveLength(2);
		});

		it("chooses once", async () => {
			const { browser, token } = await app.toChooser(person);
			const [first = "", second = ""] = ids;
			const cookies = browser.cookies.header(new URL(`${ORIGIN}/api/auth`), {
				crossSite: false,
				method: "POST",
			});
			expect((await app.choose(browser, token, first)).status).toBe(200);
			expect(await refusal(await app.choose(browser, token, second))).toEqual(NOT_FOUND);
			const replayed = await app.call("/tenant/chooser/choose", {
				body: { token, tenantId: second },
				cookie: String(cookies),
			});
			expect([replayed.status, replayed.body.code]).toEqual(NOT_FOUND);
		});

		it("does not choose a tenant that does not fit, and stays valid", async () => {
			const { browser, token } = await app.toChooser(person);
			const foreign = await app.makeTenant();
			for (const tenantId of notEmpty([foreign, randomUUID(), "no id", "null"])) {
				expect(await refusal(await app.choose(browser, token, tenantId))).toEqual([
					404,
					"TENANT_NOT_FOUND",
				]);
			}
			expect((await app.choose(browser, token, "")).status).toBe(400);
			expect((await app.list(browser, token)).tenants).toHaveLength(2);
		});

		it.each(["nonsense", "chooser-", `chooser-${"x".repeat(32)}`, "x".repeat(128)])(
			"%s is none",
			async (token) => {
				const { browser } = await app.toChooser(person);
				const path = `/tenant/chooser/list?token=${token}`;
				expect(await refusal(await browser.fetch(path))).toEqual(NOT_FOUND);
			},
		);

		it("of a state is none, and neither is that of an entry", async () => {
			const { browser, url } = await stopAt("/tenant/callback/gitlab");
			const state = url.searchParams.get("state");
			expect(await refusal(await browser.fetch(`/tenant/chooser/list?token=${state}`))).toEqual(
				NOT_FOUND,
			);
			const entry = await stopAt("/tenant/chooser/enter");
			const token = entry.url.searchParams.get("token");
			expect(
				await refusal(await entry.browser.fetch(`/tenant/chooser/list?token=${token}`)),
			).toEqual(NOT_FOUND);
		});
	});

	describe("the way into the tenant", () => {
		it("is closed to another browser at each step", async () => {
			const steps = ["/tenant/chooser/enter", "/tenant/chooser/confirm"];
			for (const step of notEmpty(steps)) {
				const { url } = await stopAt(step);
				const other = app.newBrowser();
				const visit = await other.follow(url);
				expect(errorOf(visit), step).toBe("invalid_choice");
				expect(await readSession(other)).toBeNull();
			}
		});

		it("is closed to another browser at the callback, also without core's check", async () => {
			const lax = await makeChooserApp(gitlab, { account: { skipStateCookieCheck: true } });
			for (const host of notEmpty([app, lax])) {
				const single = host.newPerson();
				await host.makeTenantsOf(single, 1);
				const { browser, url } = await host.start();
				const { url: confirm } = await browser.follow(url, {
					as: single,
					until: at("/chooser/confirm"),
				});
				const { url: last } = await browser.follow(confirm, { until: at("/callback/gitlab") });
				const other = host.newBrowser();
				expect(errorOf(await other.follow(last))).toBeTruthy();
				expect(await readSession(other)).toBeNull();
			}
		});

		it("is not opened by a code of the provider, and its code by no other flow", async () => {
			const { browser, url } = await stopAt("/tenant/chooser/confirm");
			const { url: last } = await browser.follow(url, { until: at("/callback/gitlab") });
			const other = new URL(last);
			other.searchParams.set("code", "a-code-of-the-provider");
			expect(errorOf(await browser.follow(other))).toBe("invalid_code");
			// The state is used up. The code is for that state only.
			const again = await stopAt("/tenant/chooser/confirm", browser);
			const next = await browser.follow(again.url, { until: at("/callback/gitlab") });
			const mixed = new URL(next.url);
			mixed.searchParams.set("code", last.searchParams.get("code") ?? "");
			expect(errorOf(await browser.follow(mixed))).toBe("invalid_code");
			expect(await readSession(browser)).toBeNull();
		});

		it("is not opened by the callback with another state", async () => {
			const { browser, url } = await stopAt("/tenant/chooser/confirm");
			const forged = new URL(url);
			forged.searchParams.set("state", "x".repeat(32));
			expect(errorOf(await browser.follow(forged))).toBeTruthy();
			expect(await readSession(browser)).toBeNull();
		});
	});

	describe("meanwhile", () => {
		type Change = [what: string, change: (tenantId: string) => Promise<unknown>];
		const changes: Change[] = [
			["suspended", (tenantId) => app.manage("/tenant/suspend", { body: { tenantId } })],
			["deleted", (tenantId) => app.manage("/tenant/delete", { body: { tenantId } })],
			["given its own client", (tenantId) => app.addOwnClient(tenantId)],
			[
				"closed to the provider",
				(tenantId) => app.setPolicy(tenantId, { signIn: { methods: ["password"] } }),
			],
		];

		it.each(changes)("a tenant that was %s cannot be chosen", async (_, change) => {
			const someone = app.newPerson();
			const [first = "", second = ""] = await app.makeTenantsOf(someone, 2);
			const { browser, token } = await app.toChooser(someone);
			await change(first);
			const { tenants } = await app.list(browser, token);
			expect(tenants.map(({ id }) => id)).toEqual([second]);
			expect(await refusal(await app.choose(browser, token, first))).toEqual([
				404,
				"TENANT_NOT_FOUND",
			]);
			await app.finish(browser, token, second);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId: second } });
		});

		it.each(changes)("a tenant that was %s after the choice admits nobody", async (_, change) => {
			for (const step of notEmpty(["/enter", "/confirm", "/callback/gitlab"])) {
				const someone = app.newPerson();
				const [tenantId = "", other = ""] = await app.makeTenantsOf(someone, 2);
				const { browser, token } = await app.toChooser(someone);
				const response = await app.choose(browser, token, tenantId);
				const { url }: { url: string } = await response.json();
				const { url: stopped } = await browser.follow(url, { until: at(step) });
				await change(tenantId);
				const visit = await browser.follow(stopped);
				expect(errorOf(visit), step).toBeTruthy();
				expect(await readSession(browser), step).toBeNull();
				expect(other).not.toBe("");
			}
		});
	});

	describe("what the client sends", () => {
		it("names no tenant", async () => {
			const single = app.newPerson();
			const [tenantId = ""] = await app.makeTenantsOf(single, 1);
			const foreign = await app.makeTenant();
			await app.addUser(foreign, app.newPerson());
			const browser = app.newBrowser();
			const named = { "x-tenant-id": foreign };
			const response = await browser.fetch(`/tenant/chooser/start?tenantId=${foreign}`, {
				body: { provider: "gitlab", callbackURL: "/home" },
				headers: named,
			});
			const { url }: { url: string } = await response.json();
			const callback = await browser.follow(url, { as: single, until: at("/callback/gitlab") });
			await browser.follow(`${callback.url.href}&tenantId=${foreign}`);
			expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
		});

		it.each([
			["tenantId", "some-id"],
			["additionalData", { tenantId: "some-id", serverContext: { tenantChooser: true } }],
			["serverContext", { tenantChooser: true }],
			["idToken", { token: "x" }],
			["chooserURL", EVIL],
		])("has no field %s", async (field, value) => {
			const response = await app.newBrowser().fetch("/tenant/chooser/start", {
				body: { provider: "gitlab", [field]: value },
			});
			expect(await refusal(response)).toEqual([400, "VALIDATION_ERROR"]);
		});

		it("does not make a tenant's flow one of the chooser", async () => {
			const [tenantId = ""] = ids;
			const browser = app.newBrowser();
			const response = await browser.fetch("/tenant/sign-in/social", {
				body: {
					...{ tenantId, provider: "gitlab", callbackURL: "/home" },
					additionalData: { serverContext: { tenantChooser: true }, tenantChooser: true },
				},
			});
			const { url }: { url: string } = await response.json();
			await browser.follow(url, { as: person });
			expect(await readSession(browser)).toMatchObject({ session: { tenantId } });
		});

		it.each(["callbackURL", "errorCallbackURL", "newUserCallbackURL"])(
			"leads nowhere else: %s",
			async (field) => {
				for (const target of notEmpty([EVIL, "//evil.example", "javascript:alert(1)"])) {
					const response = await app.newBrowser().fetch("/tenant/chooser/start", {
						body: { provider: "gitlab", [field]: target },
						headers: { cookie: "better-auth.session_token=x" },
					});
					expect(response.status, target).toBe(403);
				}
			},
		);
	});

	describe("a session", () => {
		const sessionOf = (browser: Browser) => readSession(browser);

		it("of another tenant in the browser neither decides nor gets in the way", async () => {
			const someone = app.newPerson();
			const [first = "", second = ""] = await app.makeTenantsOf(someone, 2);
			const { browser, token } = await app.toChooser(someone);
			await app.finish(browser, token, first);
			expect(await sessionOf(browser)).toMatchObject({ session: { tenantId: first } });
			const next = await app.toChooser(someone, browser);
			expect((await app.list(browser, next.token)).tenants).toHaveLength(2);
			await app.finish(browser, next.token, second);
			expect(await sessionOf(browser)).toMatchObject({ session: { tenantId: second } });
		});

		it("that impersonates gives nothing: the person at the provider is signed in", async () => {
			const [tenantId = ""] = ids;
			const { id: ownerId } = await app.addUser(tenantId, app.newPerson());
			await app.db
				.updateTable("user")
				.set({ tenantRole: "owner" })
				.where("id", "=", ownerId)
				.execute();
			const victim = await app.addUser(tenantId, app.newPerson());
			const impersonated = await app.manage("/tenant/user/impersonate", {
				body: { tenantId, userId: victim.id, reason: "a test" },
			});
			expect(impersonated.status).toBe(200);
			const { body } = await app.call("/tenant/chooser/start", {
				body: { provider: "gitlab", callbackURL: "/home" },
				cookie: impersonated.cookie,
			});
			expect(body.url).toContain("state=chooser-");
			const { browser, token } = await app.toChooser(person);
			const other = await app.call("/tenant/chooser/choose", {
				body: { token, tenantId },
				cookie: impersonated.cookie,
			});
			expect([other.status, other.body.code]).toEqual(NOT_FOUND);
			expect(await sessionOf(browser)).toBeNull();
		});
	});

	describe("what is stored", () => {
		it("is of no tenant, and neither the tokens nor the email can be read", async () => {
			const someone = app.newPerson();
			await app.makeTenantsOf(someone, 2);
			const { token } = await app.toChooser(someone);
			const rows = await app.db.selectFrom("verification").selectAll().execute();
			const kept = rows.filter(({ identifier }) => String(identifier).startsWith("tenant-chooser"));
			expect(kept).not.toEqual([]);
			for (const row of notEmpty(kept)) {
				expect(row.tenantId).toBe("");
				expect(JSON.stringify(row)).not.toContain(someone.email);
				expect(JSON.stringify(row)).not.toContain(token);
				expect(String(row.value)).toMatch(/^[\da-f]+$/);
			}
		});

		it("is not valid in another row", async () => {
			const someone = app.newPerson();
			await app.makeTenantsOf(someone, 2);
			const mine = await app.toChooser(someone);
			const before = await app.db.selectFrom("verification").selectAll().execute();
			const theirs = await app.toChooser(person);
			const isNew = (row: { id?: unknown }) => !before.some(({ id }) => id === row.id);
			const rows = await app.db.selectFrom("verification").selectAll().execute();
			const isChoice = (row: { identifier?: unknown }) =>
				String(row.identifier).startsWith("tenant-chooser:choice");
			const own = before.filter(isChoice).at(-1);
			const other = rows.filter(isChoice).find(isNew);
			await app.db
				.updateTable("verification")
				.set({ value: String(own?.value) })
				.where("id", "=", String(other?.id))
				.execute();
			const response = await theirs.browser.fetch(`/tenant/chooser/list?token=${theirs.token}`);
			expect(await refusal(response)).toEqual(NOT_FOUND);
			expect((await app.list(mine.browser, mine.token)).email).toBe(someone.email);
		});

		it("expires", async () => {
			const { browser, token } = await app.toChooser(person);
			await app.db
				.updateTable("verification")
				.set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
				.where("identifier", "like", "tenant-chooser:choice%")
				.execute();
			const response = await browser.fetch(`/tenant/chooser/list?token=${token}`);
			expect(await refusal(response)).toEqual(NOT_FOUND);
		});
	});

	it("a response to somebody unknown is the same, whatever tenants there are", async () => {
		const visit = await app.signIn(app.newPerson());
		const empty = await makeChooserApp(gitlab);
		const other = await empty.signIn(empty.newPerson());
		expect(errorIn(visit)).toEqual(errorIn(other));
		expect(visit.visited.length).toBe(other.visited.length);
	});
});

describe("the rate limit", () => {
	it.each([
		["start", { provider: "gitlab" }],
		["choose", { token: "x", tenantId: "x" }],
	])("ends %s after 20 calls in a minute", async (name, body) => {
		stopClock();
		const app = await makeChooserApp(gitlab, { rateLimit: { enabled: true } });
		const headers = { "x-forwarded-for": "203.0.113.1" };
		const statuses: number[] = [];
		for (let call = 0; call < 21; call += 1) {
			statuses.push((await app.call(`/tenant/chooser/${name}`, { body, headers })).status);
		}
		expect(statuses.slice(0, 20)).not.toContain(429);
		expect(statuses.at(-1)).toBe(429);
	});
});
