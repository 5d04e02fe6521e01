import { randomUUID } from "node:crypto";
import { genericOAuth } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { notEmpty } from "../../../../testing/not-empty";
import { accountsOf, signInAtCore, three, useTokens } from "../support/providers/core-social";
import { useIdentityProvider } from "../support/providers/identity-provider";
import { makeSocialApp, readSession } from "../support/worlds/social-app";

const ORIGIN = "https://app.example.com";

describe("a provider of the generic-oauth plugin", () => {
	const gitlab = useIdentityProvider("gitlab");

	it.each(["before", "after"])(
		"listed %s tenantAuth signs the same person in to two tenants, and refreshes tokens",
		async (order) => {
			const { clientId, clientSecret } = await gitlab.addClient({
				redirectURIs: ["", "/tenant"].map((at) => `${ORIGIN}/api/auth${at}/callback/forge`),
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
						pkce: true,
					},
				],
			});
			const app = await makeSocialApp(
				order === "before" ? { pluginsBefore: [forge] } : { plugins: [forge] },
			);
			const person = gitlab.addPerson({ email: `${randomUUID()}@example.com` });
			const users = new Set<string>();
			const tenants = [await app.createTenant(), await app.createTenant(), null];
			const visits = [];
			for (const tenantId of notEmpty(tenants)) {
				const { browser, visit } = await signInAtCore(app, tenantId, person, "forge");
				expect(visit.url.href).toBe(`${ORIGIN}/home`);
				const session = await readSession(browser);
				expect(session?.user).toMatchObject({ email: person.email, tenantId });
				users.add(String(session?.user.id));
				const [account] = await accountsOf(browser);
				expect(await useTokens(browser, String(account?.id))).toEqual(three([200, undefined]));
				visits.push({ browser, accountId: String(account?.id) });
			}
			expect(users.size).toBe(3);
			const [first, second] = visits;
			expect(first && second && (await useTokens(first.browser, second.accountId))).toEqual(
				three([400, "ACCOUNT_NOT_FOUND"]),
			);
		},
	);
});
