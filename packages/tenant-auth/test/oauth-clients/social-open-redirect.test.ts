import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import {
	addTenantAt,
	askSocialSignIn,
	beginSocial,
	makeSocialApp,
} from "../support/worlds/social-app";
import { useWorld } from "../support/worlds/world";

const provider = "gitlab";
const foreign = [
	"https://evil.example/",
	"https://app.example.com.evil.example/",
	"https://app.example.com@evil.example/",
	"//evil.example/",
	"/\\evil.example/",
	"/%5Cevil.example/",
	"javascript:alert(1)",
];

describe("an open redirect", () => {
	const gitlab = useIdentityProvider("gitlab");
	const world = useWorld(async () => {
		const app = await makeSocialApp({ trustedOrigins: ["https://portal.example"] });
		const { tenantId } = await addTenantAt(app, "gitlab", gitlab);
		return { ...app, tenantId };
	});

	describe.each([
		["callbackURL", "INVALID_CALLBACK_URL"],
		["errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"],
		["newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"],
	])("through %s", (field, code) => {
		it.each(foreign)("is rejected: %s", async (url) => {
			const app = world();
			const { tenantId } = app;
			const response = await askSocialSignIn(new Browser(app), {
				tenantId,
				provider,
				[field]: url,
			});
			expect(response.status).toBe(403);
			expect(await response.json()).toMatchObject({ code });
		});

		it("is also rejected without cookies, Origin and fetch metadata", async () => {
			const app = world();
			const { tenantId } = app;
			const response = await app.handler(
				new Request(`${app.baseURL}/tenant/sign-in/social`, {
					method: "POST",
					headers: { "content-type": "application/json" },
					body: JSON.stringify({ tenantId, provider, [field]: "https://evil.example/" }),
				}),
			);
			expect(response.status).toBe(403);
		});
	});

	it("cannot be caused by the query of the callback", async () => {
		const app = world();
		const { tenantId } = app;
		const { browser, url } = await beginSocial(app, { tenantId, provider });
		const person = gitlab.addPerson({ email: "ada@example.com" });
		const until = (at: URL) => at.pathname.includes("/callback/");
		const { url: callback } = await browser.follow(url, { as: person, until });
		for (const name of ["callbackURL", "errorURL", "errorCallbackURL", "newUserURL"]) {
			callback.searchParams.set(name, "https://evil.example/");
		}
		expect((await browser.follow(callback)).url.href).toBe(`${app.origin}/home`);
	});

	it("is not assumed for a trusted origin of the app", async () => {
		const app = world();
		const { tenantId } = app;
		const callbackURL = "https://portal.example/welcome";
		const { browser, url } = await beginSocial(app, { tenantId, provider, callbackURL });
		const person = gitlab.addPerson({ email: "grace@example.com" });
		expect((await browser.follow(url, { as: person })).url.href).toBe(callbackURL);
	});
});
