import type { BetterAuthPlugin } from "better-auth";
import { fastStatements } from "better-auth-fast";
import { tenantAuth } from "better-auth-tenant";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../../../../testing/pages";
import { Browser } from "../support/http/browser";
import {
	type IdentityProvider,
	startIdentityProvider,
} from "../support/providers/identity-provider";
import { type CountedApp, makeCountedApp, ORIGIN } from "../support/worlds/counted-app";
import { hostProvider } from "../support/worlds/social-app";

/**
 * What each operation asks of the database beyond what Better Auth alone does for the same. The gate
 * costs one statement. A new user also locks the tenant's row, and a social flow reads the config.
 */
const alone = {
	"the first sign-up in a tenant": 2,
	"a sign-up": 2,
	"a sign-up at core's own path": 2,
	"a sign-in": 1,
	"a sign-in at core's own path": 1,
	"a sign-in over an older session": 1,
	"get-session": 1,
	"get-session in a tenant that the request names": 1,
	"get-session that renews the session": 1,
	"list-sessions": 1,
	"update-user": 1,
	"sign-out": 1,
	"the start of a social sign-in": 2,
	// Two of them because a tenant can choose the server of GitLab: to which one a code was sent before.
	"the callback of a new user": 5,
	"the callback of a known user": 4,
};

/**
 * Joins in the database save one: a session is read with its user, a user with the accounts, and an
 * account with its user.
 */
const withJoins: Counts = {
	"the first sign-up in a tenant": 2,
	"a sign-up": 2,
	"a sign-up at core's own path": 2,
	"a sign-in": 0,
	"a sign-in at core's own path": 0,
	"a sign-in over an older session": 0,
	"get-session": 0,
	"get-session in a tenant that the request names": 0,
	"get-session that renews the session": 0,
	"list-sessions": 0,
	"update-user": 0,
	"sign-out": 0,
	"the start of a social sign-in": 1,
	// Two of them because a tenant can choose the server of GitLab: to which one a code was sent before.
	"the callback of a new user": 4,
	"the callback of a known user": 2,
};

/** How docs/performance.md names the operations, and what its numbers leave out. */
const documented: Record<string, [operation: Operation, leftOut?: number]> = {
	"sign-in": ["a sign-in"],
	"get-session": ["get-session"],
	"list-sessions": ["list-sessions"],
	"update-user": ["update-user"],
	"sign-out": ["sign-out"],
	"sign-up": ["a sign-up"],
	"start of a social sign-in": ["the start of a social sign-in"],
	"callback of a known user": ["the callback of a known user", 2],
	"callback of a new user": ["the callback of a new user", 2],
};

it("docs/performance.md and the first page have these counts", () => {
	const [, section = ""] = textOf("docs/performance.md").split("\n## Statements\n");
	const rows = [...section.matchAll(/^\| ([a-z, -]+) \| (\d) \| (\d) \|/gm)].flatMap(
		([, names = "", ...counts]) => names.split(", ").map((name) => [name, counts.map(Number)]),
	);
	const measured = Object.entries(documented).map(([name, [operation, leftOut = 0]]) => [
		name,
		[alone, withJoins].map((counts) => counts[operation] - leftOut),
	]);
	expect(rows).toEqual(measured);
	expect(textOf("docs/index.md")).toContain(`${alone["a sign-in"]} statement more to sign in`);
});

type Operation = keyof typeof alone;
type Counts = Record<Operation, number>;

const KEY = "management-key-of-the-tests";
const password = "correct horse battery";

describe.each<[string, Counts, { plugins?: BetterAuthPlugin[]; joins?: boolean }]>([
	["tenantAuth()", alone, {}],
	["tenantAuth() and joins of the database", withJoins, { joins: true }],
	["tenantAuth() and fastStatements()", withJoins, { plugins: [fastStatements()] }],
])("statements per operation with %s", (_, more, { plugins = [], joins }) => {
	let gitlab: IdentityProvider;
	let plain: Counts;
	let ours: Counts;

	beforeAll(async () => {
		gitlab = await startIdentityProvider("gitlab");
		plain = await countAtCore();
		ours = await countInTenant();
	});

	afterAll(() => gitlab.close());

	it.each(Object.entries(more) as [Operation, number][])(
		"%s: %i more than core's",
		(operation, count) => {
			expect(plain[operation]).toBeGreaterThan(0);
			expect(ours[operation] - plain[operation]).toBe(count);
		},
	);

	async function countAtCore(): Promise<Counts> {
		const redirectURIs = [`${ORIGIN}/api/auth/callback/gitlab`];
		const client = await gitlab.addClient({ redirectURIs });
		const app = await makeCountedApp({ socialProviders: hostProvider("gitlab", gitlab, client) });
		return countAll(app, "", {});
	}

	async function countInTenant(): Promise<Counts> {
		const redirectURIs = [`${ORIGIN}/api/auth/tenant/callback/gitlab`];
		const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
		const plugin = tenantAuth({ managementKeys: [KEY], allowPrivateProviderHosts: true });
		const app = await makeCountedApp({ plugins: [...plugins, plugin] }, { joins });
		const tenant = await manage(app, "/tenant/create", { name: "Acme", slug: "acme" });
		const config = { tenantId: tenant.id, clientId, clientSecret, options: { issuer: gitlab.url } };
		await manage(app, "/tenant/oauth-config/register", { ...config, providerId: "gitlab" });
		return countAll(app, "/tenant", { "x-tenant-id": tenant.id });
	}

	/** `base` is where sign-up and sign-in stand, `naming` what names the tenant there. */
	async function countAll(
		app: CountedApp,
		base: "" | "/tenant",
		naming: Record<string, string>,
	): Promise<Counts> {
		const ask = async (
			browser: Browser,
			path: string,
			body?: object,
			headers: Record<string, string> = {},
		) => {
			const response = await browser.fetch(path, { body, headers });
			expect(response.status, path).toBe(200);
			return (await response.json()) as { url?: string };
		};
		const signUp =
			(email: string, at: string = base) =>
			() =>
				ask(new Browser(app), `${at}/sign-up/email`, { name: "Ada", email, password }, naming);
		const browser = new Browser(app);
		const email = "ada@example.com";
		const signIn = () => ask(browser, `${base}/sign-in/email`, { email, password }, naming);

		const socialStart = (browser: Browser) => {
			const body = { provider: "gitlab", callbackURL: "/home" };
			return ask(browser, `${base}/sign-in/social`, body, naming);
		};
		const person = gitlab.addPerson({ email: `person${base.replace("/", "-")}@example.com` });
		const callback = async () => {
			const browser = new Browser(app);
			const { url } = await socialStart(browser);
			return app.count(async () => {
				const visit = await browser.follow(String(url), { as: person });
				expect(visit.url.pathname).toBe("/home");
			});
		};

		return {
			"the first sign-up in a tenant": await app.count(signUp(email)),
			"a sign-up": await app.count(signUp("grace@example.com")),
			"a sign-up at core's own path": await app.count(signUp("lin@example.com", "")),
			"a sign-in": await app.count(signIn),
			"a sign-in at core's own path": await app.count(() =>
				ask(new Browser(app), "/sign-in/email", { email, password }, naming),
			),
			"a sign-in over an older session": await app.count(signIn),
			"get-session": await app.count(() => ask(browser, "/get-session")),
			"get-session in a tenant that the request names": await app.count(() =>
				ask(browser, "/get-session", undefined, naming),
			),
			"get-session that renews the session": await app.count(async () => {
				await ageSessions(app);
				await ask(browser, "/get-session");
			}),
			"list-sessions": await app.count(() => ask(browser, "/list-sessions")),
			"update-user": await app.count(() => ask(browser, "/update-user", { name: "Ada L." })),
			"sign-out": await app.count(() => ask(browser, "/sign-out", {})),
			"the start of a social sign-in": await app.count(() => socialStart(new Browser(app))),
			"the callback of a new user": await callback(),
			"the callback of a known user": await callback(),
		};
	}
});

/** A session is renewed when a day of its seven is over. */
async function ageSessions({ db }: CountedApp): Promise<void> {
	const expiresAt = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString();
	await db.updateTable("session").set({ expiresAt }).execute();
}

async function manage(app: CountedApp, path: string, body: object): Promise<{ id: string }> {
	const response = await app.handler(
		new Request(app.baseURL + path, {
			method: "POST",
			headers: { "content-type": "application/json", authorization: `Bearer ${KEY}` },
			body: JSON.stringify(body),
		}),
	);
	expect(response.status).toBe(200);
	return response.json();
}
