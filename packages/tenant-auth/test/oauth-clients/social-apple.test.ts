import { describe, expect, it } from "vitest";
import type { App } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { EMAIL } from "../support/worlds/instance";
import { addTenantAt, beginSocial, makeSocialApp, readSession } from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "apple";

interface Seen {
	method: string;
	path: string;
	hasState: boolean;
}

/** Records the requests to the callback, and whether they have a state cookie. */
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

describe("form_post, which Apple uses,", () => {
	const apple = useIdentityProvider("apple");
	const world = useWorld(() => makeSocialApp());

	it("finishes with a GET, which has the state cookie", async () => {
		const { app, seen } = watchCallback(world());
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: EMAIL, name: "Ada Lovelace" });
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

	it("contains the name, which Apple sends only there", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "grace@example.com", name: 'Grace "B." Hopper & Co' });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		await browser.follow(url, { as: person });
		expect((await readSession(browser))?.user.name).toBe('Grace "B." Hopper & Co');
	});

	it("cannot change the tenant of the flow", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const other = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "form@example.com" });
		const changingForm: App = {
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
		const { browser, url } = await beginSocial(changingForm, { tenantId, provider });
		await browser.follow(url, { as: person });
		expect((await readSession(browser))?.session.tenantId).toBe(tenantId);
	});

	it("goes to the error URL of the flow if the person denies consent", async () => {
		const app = world();
		const { tenantId } = await addTenantAt(app, "apple", apple);
		const person = apple.addPerson({ email: "no@example.com" });
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const visit = await browser.follow(url, { as: person, consent: "deny" });
		expect(visit.url.pathname).toBe("/failed");
		expect(visit.url.searchParams.get("error")).toBe("access_denied");
	});
});
