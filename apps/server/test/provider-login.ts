import type { Page } from "playwright-core";
import { onTestFinished } from "vitest";
import {
	type Person,
	startIdentityProvider,
} from "../../../packages/tenant-auth/test/support/providers/identity-provider";
import { runningPages } from "./running-pages";

/** A server for one test with a client at an identity provider, for all tenants. */
export async function pagesWithProvider() {
	const provider = await startIdentityProvider("gitlab");
	onTestFinished(() => provider.close());
	const client = { clientId: "client-of-the-service", clientSecret: "secret-of-the-service" };
	const server = await runningPages({
		GITLAB_CLIENT_ID: client.clientId,
		GITLAB_CLIENT_SECRET: client.clientSecret,
		GITLAB_ISSUER: provider.url,
	});
	const redirectURIs = [`${server.baseUrl}/api/auth/tenant/callback/gitlab`];
	await provider.addClient({ ...client, redirectURIs });
	return { server, provider };
}

/** Signs a person in on the current page of the identity provider, and gives consent. */
export async function passProvider(page: Page, { email, password }: Person): Promise<void> {
	await page.locator("[name=login]").fill(email);
	await page.locator("[name=password]").fill(password);
	await submit(page);
	await page.locator("[name=decision]").fill("allow");
	await submit(page);
}

/** The forms have no button. */
const submit = (page: Page) => page.locator("form").evaluate("document.forms[0].submit()");
