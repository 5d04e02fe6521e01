import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { App } from "../support/browser";
import { type IdentityProvider, startIdentityProvider } from "../support/identity-provider";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/social-app";

const provider = "apple";

interface Seen {
	method: string;
	path: string;
	hasState: boolean;
}

/** What the browser asks the callback for, and with which cookies. */
function watchCallback<T extends App>(app: T): { app: T; seen: Seen[] } {
	const seen: Seen[] = [];
	const handler = (request: Request) => {
		const path = new URL(request.url).pathname;
		const hasState = request.headers.get("cookie")?.includes("state=") ?? false;
		if (path.includes("/callback/")) seen.push({ method: request.method, path, hasState });
		return app.handler(request);
	};
	return { app: { ...app, handler }, seen };
}

describe("form_post, the answer of Apple", () => {
	let apple: IdentityProvider;

	beforeAll(async () => {
		apple = await startIdentityProvider("apple");
	});

	afterAll(() => apple.close());

	it("finishes on the GET that follows, where the state cookie arrives", async () => {
		const { app, seen } = watchCallback(await makeSocialApp());
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "ada@example.com", name: "Ada Lovelace" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person });
		expect(visit.url.href).toBe(`${app.origin}/home`);
		const path = "/api/auth/tenant/callback/apple";
		expect(seen).toEqual([
			{ method: "POST", path, hasState: false },
			{ method: "GET", path, hasState: true },
		]);
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("brings the name that Apple tells in the form alone", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "grace@example.com", name: 'Grace "B." Hopper & Co' });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: person });
		expect((await readSession(browser))?.user.name).toBe('Grace "B." Hopper & Co');
	});

	it("does not move the flow to a tenant that the form names", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const other = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "form@example.com" });
		const meddling: App = {
			...app,
			async handler(request) {
				if (request.method !== "POST" || !request.url.includes("/callback/")) {
					return app.handler(request);
				}
				const form = new URLSearchParams(await request.text());
				form.set("tenantId", other.tenantId);
				return app.handler(new Request(request, { body: form }));
			},
		};
		const { browser, url } = await beginSocial(meddling, { tenantId, provider });
		await browser.follow(url, { as: person });
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("of a refusal goes to the flow's error URL as well", async () => {
		const app = await makeSocialApp();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "no@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person, consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
	});
});
