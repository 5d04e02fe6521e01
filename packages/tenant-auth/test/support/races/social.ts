import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { App } from "../http/browser";
import type { IdentityProvider } from "../providers/identity-provider";
import { beginSocial, readSession } from "../worlds/social-app";
import { type Finish, type Outcome, type RaceTrack, rowsOf, SIX, succeeded } from "./race";

export const oauthConfig = (gitlab: IdentityProvider, tenantId: string, change: object = {}) => ({
	...{ tenantId, providerId: "gitlab", clientId: "first", clientSecret: "secret" },
	options: { issuer: gitlab.url },
	...change,
});

type SocialTrack = Pick<RaceTrack, "one" | "balanced" | "gitlab">;

/** A tenant with a client, and a new person at its provider. */
export async function makeSocialTenant({ one, balanced, gitlab }: SocialTrack) {
	const tenantId = await one.makeTenant();
	const redirectURIs = [`${balanced.baseURL}/tenant/callback/gitlab`];
	const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
	const body = oauthConfig(gitlab, tenantId, { clientId, clientSecret });
	await one.manage("/tenant/oauth-config/register", { body });
	return { tenantId, person: gitlab.addPerson({ email: `${randomUUID()}@example.com` }) };
}

/** Goes to the provider, and stops before the callback. */
export async function untilCallback(
	app: App,
	{ tenantId, person: as }: Awaited<ReturnType<typeof makeSocialTenant>>,
) {
	const { browser, url } = await beginSocial(app, { tenantId, provider: "gitlab" });
	const until = (at: URL) => at.pathname.includes("/callback/");
	return { browser, callback: (await browser.follow(url, { as, until })).url };
}

/** Where a callback led: into the app, or to an error page. */
const outcomeOf = (url: URL): Outcome =>
	url.pathname === "/home"
		? { status: 200, body: null }
		: { status: 302, body: { code: url.searchParams.get("error") } };

export async function signInSocially(track: RaceTrack): Promise<Finish> {
	const world = await makeSocialTenant(track);
	const { tenantId, person } = world;
	const flows = [];
	for (const _ of SIX) flows.push(await untilCallback(track.balanced, world));
	const answers = await Promise.all(
		flows.map(async ({ browser, callback }) => outcomeOf((await browser.follow(callback)).url)),
	);
	// None of them is refused: all are the same user.
	expect(answers).toEqual(SIX.map(() => ({ status: 200, body: null })));
	const sessions = await Promise.all(flows.map(({ browser }) => readSession(browser)));
	expect(new Set(sessions.map((session) => session?.user.id)).size).toBe(1);
	return { tenantId, answers, refusals: [], acknowledged: [person.email] };
}

export async function presentCallback(track: RaceTrack): Promise<Finish> {
	const world = await makeSocialTenant(track);
	const { tenantId, person } = world;
	const { browser, callback } = await untilCallback(track.balanced, world);
	const visits = await Promise.all([browser.follow(callback), browser.follow(callback)]);
	const answers = visits.map(({ url }) => outcomeOf(url));
	// A provider that sees its code twice may take back what it gave for it: then nobody enters.
	const entered = succeeded(answers).length;
	expect(entered).toBeLessThanOrEqual(1);
	expect(await rowsOf(track, "user", tenantId)).toHaveLength(entered);
	const refusals = answers.map(({ body }) => body?.code);
	return { tenantId, answers, refusals, acknowledged: entered ? [person.email] : [] };
}
