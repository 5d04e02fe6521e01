import { genericOAuth } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { Browser } from "../support/http/browser";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { askSocialSignIn, makeSocialApp, readSession } from "../support/worlds/social-app";

describe("a provider that another plugin adds", () => {
	const gitlab = useIdentityProvider("gitlab");

	it.each(["before", "after"])(
		"%s tenantAuth does not turn a sign-in to a tenant into one to the platform",
		async (order) => {
			const base = "https://app.example.com/api/auth";
			const { clientId, clientSecret } = await gitlab.addClient({
				redirectURIs: [`${base}/callback/forge`, `${base}/tenant/callback/forge`],
			});
			const forge = genericOAuth({
				config: [
					{
						providerId: "forge",
						clientId,
						clientSecret,
						authorizationUrl: `${gitlab.url}/oauth/authorize`,
						tokenUrl: `${gitlab.url}/oauth/token`,
						userInfoUrl: `${gitlab.url}/api/v4/user`,
						scopes: ["read_user"],
					},
				],
			});
			const app = await makeSocialApp(
				order === "before" ? { pluginsBefore: [forge] } : { plugins: [forge] },
			);
			const tenantId = await app.createTenant();
			const browser = new Browser(app);
			const body = {
				tenantId,
				provider: "forge",
				callbackURL: "/home",
				errorCallbackURL: "/failed",
			};
			const response = await askSocialSignIn(browser, body);
			const { url }: { url?: string } = await response.json();
			const person = gitlab.addPerson({ email: `${order}@example.com` });
			if (url) await browser.follow(url, { as: person });
			const session = await readSession(browser);
			expect(session === null || session.session.tenantId === tenantId).toBe(true);
		},
	);
});
