import { type SSOOptions, sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import { makeMemoryStorage } from "../databases/memory-storage";
import { Browser } from "../http/browser";
import type { Person } from "../providers/identity-provider";
import { type Answer, type InstanceOptions, ORIGIN } from "./instance";
import { makeTwoUsers } from "./two-tenants";

export interface SsoAppOptions extends InstanceOptions {
	sso?: SSOOptions;
}

/** Where the state of a flow is, while the user is at the identity provider. */
export const flowStates: [string, () => SsoAppOptions][] = [
	["in the database", () => ({})],
	["in a cookie", () => ({ account: { storeStateStrategy: "cookie" } })],
	[
		"in secondary storage",
		() => ({ secondaryStorage: makeMemoryStorage(), verification: { storeInDatabase: true } }),
	],
];

type Posted = Pick<
	NonNullable<Parameters<Awaited<ReturnType<typeof makeTwoUsers>>["call"]>[1]>,
	"query" | "headers" | "cookie" | "tenant"
>;

/** The other user has no tenant. All three have the same email. */
export async function makeSsoApp({ sso: settings, plugins = [], ...options }: SsoAppOptions = {}) {
	const plugin = sso(settings) as unknown as BetterAuthPlugin;
	const app = await makeTwoUsers({ ...options, plugins: [...plugins, plugin] });
	const body = { name: "Carol", email: "ada@example.com", password: "correct horse battery" };
	const carol = await app.call("/sign-up/email", { body });

	/** As a user who is signed in, and may manage their own providers. */
	async function register(user: Answer, provider: object): Promise<Answer> {
		const answer = await app.call("/sso/register", {
			cookie: user.cookie,
			body: { providerId: "okta", domain: "acme.com", ...provider },
		});
		if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
		return answer;
	}

	const start = (tenantId: string | null, change: object = {}) =>
		app.call("/sign-in/sso", {
			...(tenantId ? { tenant: tenantId } : {}),
			body: {
				providerId: "okta",
				callbackURL: "/home",
				errorCallbackURL: "/failed",
				...change,
			},
		});

	/** Logs a person in at the OIDC provider. Returns the callback, which the browser did not load. */
	async function visit({ body, cookie }: Answer, as: Person) {
		const browser = new Browser({ baseURL: `${ORIGIN}/api/auth`, handler: app.auth.handler });
		const isCallback = (url: URL) => url.pathname.startsWith("/api/auth/sso/callback");
		const { url } = await browser.follow(body.url, { as, until: isCallback });
		if (!isCallback(url)) throw new Error(`stopped at ${url.href}`);
		return { path: app.pathOf(url.href), cookie };
	}

	/** Posts a form that a page of the identity provider sends, as browsers do. */
	const post = (path: string, { body, ...names }: { body: object } & Posted) =>
		app.call(path, {
			...names,
			body: String(new URLSearchParams({ ...body })),
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				origin: "https://idp.example.com",
				"sec-fetch-site": "cross-site",
				"sec-fetch-mode": "navigate",
				...names.headers,
			},
		});

	const users = () =>
		app.db.selectFrom("user").select(["id", "email", "tenantId"]).orderBy("id").execute();

	return { ...app, carol, register, start, visit, post, users };
}

/** Where the browser goes next, and who is signed in there. */
export const endOf = ({ status, headers, cookie }: Answer) => ({
	status,
	location: headers.get("location"),
	isSignedIn: cookie.includes("session_token"),
});

export const SIGNED_IN = { status: 302, location: "/home", isSignedIn: true };
