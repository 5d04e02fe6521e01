import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../../support/http/browser";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../../support/providers/identity-provider";
import { ORIGIN } from "../../support/worlds/instance";
import type { Stage } from "./stage";

const baseURL = `${ORIGIN}/api/auth`;

export function describeSocial(stage: Stage, lacks: readonly string[]): void {
	let gitlab: IdentityProvider;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
	});
	afterAll(() => gitlab?.close());

	/** A tenant with a client of its own at the provider. */
	async function makeSocialTenant() {
		const { makeTenant, manage } = stage.instance;
		const tenantId = await makeTenant();
		const client = await gitlab.addClient({
			redirectURIs: [`${baseURL}/tenant/callback/gitlab`],
		});
		const { clientId, clientSecret } = client;
		const options = { issuer: gitlab.url };
		await manage("/tenant/oauth-config/register", {
			body: { tenantId, providerId: "gitlab", clientId, clientSecret, options },
		});
		return { tenantId, clientId };
	}

	const newBrowser = () =>
		new Browser({ baseURL, handler: (request) => stage.instance.auth.handler(request) });

	async function begin(tenantId: string, browser = newBrowser()) {
		const body = {
			tenantId,
			provider: "gitlab",
			callbackURL: "/home",
			errorCallbackURL: "/failed",
		};
		const response = await browser.fetch("/tenant/sign-in/social", { body });
		expect(response.status).toBe(200);
		const { url } = (await response.json()) as { url: string };
		return { browser, url };
	}

	describe("a social sign-in", () => {
		const isUnique = !lacks.includes("unique indexes");
		it.runIf(isUnique)("of one person several times at once succeeds as one user", async () => {
			const { tenantId } = await makeSocialTenant();
			const as = gitlab.addPerson({ email: stage.newAddress() });
			const until = (it: URL) => it.pathname.includes("/tenant/callback/");
			const arrived: { browser: Browser; url: URL }[] = [];
			for (let n = 0; n < 4; n += 1) {
				const { browser, url } = await begin(tenantId);
				arrived.push({ browser, url: (await browser.follow(url, { as, until })).url });
			}
			const logged = stage.errors.length;
			const ends = await Promise.all(arrived.map(({ browser, url }) => browser.follow(url)));
			const log = stage.errors.slice(logged).join("\n");
			expect(
				ends.map(({ url }) => url.pathname + url.search),
				log,
			).toEqual(ends.map(() => "/home"));
			const users = await Promise.all(
				arrived.map(async ({ browser }) => (await browser.fetch("/get-session")).json()),
			);
			expect(new Set(users.map(({ user }) => user.id)).size).toBe(1);
			expect(users[0].user).toMatchObject({ email: as.email, tenantId });
		});

		it("of one person in two tenants makes two users, and finds each again", async () => {
			const person = gitlab.addPerson({ email: stage.newAddress() });
			const users: string[] = [];
			for (const tenant of [await makeSocialTenant(), await makeSocialTenant()]) {
				const { tenantId, clientId } = tenant;
				const ids = new Set<string>();
				for (const _ of ["first time", "second time"]) {
					const { browser, url } = await begin(tenantId);
					expect(new URL(url).searchParams.get("client_id")).toBe(clientId);
					await browser.follow(url, { as: person });
					const { user, session } = await (await browser.fetch("/get-session")).json();
					expect([user.tenantId, session.tenantId, user.email]).toEqual([
						tenantId,
						tenantId,
						person.email,
					]);
					ids.add(user.id);
				}
				expect(ids.size).toBe(1);
				users.push(...ids);
			}
			expect(new Set(users).size).toBe(2);
		});

		it("that was refused at the provider ends where the tenant's flow says, and only once", async () => {
			const { tenantId } = await makeSocialTenant();
			const { browser, url } = await begin(tenantId);
			const state = new URL(url).searchParams.get("state");
			const back = () =>
				browser.fetch(`/tenant/callback/gitlab?error=access_denied&state=${state}`);
			const first = new URL(String((await back()).headers.get("location")), ORIGIN);
			expect([first.pathname, first.searchParams.get("error")]).toEqual([
				"/failed",
				"access_denied",
			]);
			const again = await back();
			expect(again.status).toBeLessThan(500);
			expect(again.headers.get("location")).not.toContain("/failed");
		});
	});
}
