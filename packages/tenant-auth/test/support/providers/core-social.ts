import { Browser } from "../http/browser";
import type { SocialApp } from "../worlds/social-app";
import type { Person } from "./identity-provider";

export const callbacks = { callbackURL: "/home", errorCallbackURL: "/failed" };

export const inTenant = (tenantId: string | null): Record<string, string> =>
	tenantId ? { "x-tenant-id": tenantId } : {};

/** Signs in at core's own path, in the tenant that the header names. */
export async function signInAtCore(
	app: SocialApp,
	tenantId: string | null,
	as: Person,
	provider = "gitlab",
) {
	const browser = new Browser(app);
	const response = await browser.fetch("/sign-in/social", {
		body: { provider, ...callbacks },
		headers: inTenant(tenantId),
	});
	const { url }: { url: string } = await response.json();
	const visit = await browser.follow(url, { as });
	return { browser, visit, clientId: new URL(url).searchParams.get("client_id") };
}

export async function accountsOf(browser: Browser) {
	const accounts: { id: string; providerId: string }[] = await (
		await browser.fetch("/list-accounts")
	).json();
	return accounts;
}

/** The calls that use the tokens of an account. */
export async function useTokens(
	browser: Browser,
	accountId: string,
	headers: Record<string, string> = {},
) {
	const answers = [
		await browser.fetch("/get-access-token", { body: { accountId }, headers }),
		await browser.fetch("/refresh-token", { body: { accountId }, headers }),
		await browser.fetch(`/account-info?${new URLSearchParams({ accountId })}`, { headers }),
	];
	return Promise.all(
		answers.map(async (answer) => {
			const text = await answer.text();
			const { code }: { code?: string } = text ? JSON.parse(text) : {};
			return [answer.status, code];
		}),
	);
}

export const three = <T>(it: T): T[] => [it, it, it];
