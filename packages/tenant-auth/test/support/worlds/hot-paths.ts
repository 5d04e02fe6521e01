import { magicLink, twoFactor } from "better-auth/plugins";
import type { TenantAuthOptions } from "better-auth-tenant";
import { importUsers } from "better-auth-tenant/imports";
import { deliverWebhooks } from "better-auth-tenant/webhooks";
import { expect } from "vitest";
import type { Statement } from "../databases/query-plan";
import type { RecordedDatabase } from "../databases/recorded-database";
import { Browser } from "../http/browser";
import { startIdentityProvider } from "../providers/identity-provider";
import { cheapPasswords } from "./cheap-passwords";
import { addCrowd } from "./crowd";
import { makeInstance, ORIGIN } from "./instance";

export const hotPaths = [
	"a sign-up",
	"a sign-in",
	"get-session",
	"get-session in a tenant that the request names",
	"list-sessions",
	"update-user",
	"sign-out",
	"a password reset",
	"a social sign-in of a new user",
	"a social sign-in of a known user",
	"tenant get by id",
	"tenant get by slug",
	"tenant create",
	"config list",
	"user list",
	"user list by cursor",
	"user list, last page",
	"session list",
	"session list by cursor",
	"sign-in list",
	"sign-in list by cursor",
	"sign-in list of an email",
	"delivery list",
	"delivery list by cursor",
	"deliveries that are due",
	"an import of new users",
	"an import of known users",
] as const;

/** They also ask tables of other plugins, which have a few rows here. So their plans say nothing. */
const pathsOfPlugins = ["a sign-in with a second factor", "a sign-in by a link"] as const;

export const walkedPaths = [...hotPaths, ...pathsOfPlugins];

export type HotPath = (typeof walkedPaths)[number];

/** A list of rows of one tenant that may be long. */
export const isPagedList = (path: HotPath): boolean =>
	/^(user|session|sign-in|delivery) list(?! of)/.test(path);

/** Without a total, as in the other lists. */
const ofEmail = { email: "nobody@example.com", total: "none" };
const email = "ada@example.com";
const password = "correct horse battery";

/** Walks each path once, in a tenant of many users, and tells what it asked of the database. */
export async function walkHotPaths(
	database: RecordedDatabase,
	options: TenantAuthOptions = {},
): Promise<Record<HotPath, Statement[]>> {
	const tokens: string[] = [];
	const links: string[] = [];
	const codes: string[] = [];
	const instance = await makeInstance({
		on: database,
		tenants: { allowPrivateProviderHosts: true, ...options },
		plugins: [
			magicLink({
				sendMagicLink: async ({ url }) => {
					links.push(url);
				},
			}),
			twoFactor({
				skipVerificationOnEnable: true,
				otpOptions: {
					sendOTP: async ({ otp }) => {
						codes.push(otp);
					},
				},
			}),
		],
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			sendResetPassword: async ({ token }) => {
				tokens.push(token);
			},
		},
	});
	const tenantId = await instance.makeTenant("acme");
	await addCrowd(database, tenantId);
	const gitlab = await startIdentityProvider("gitlab");
	await addClient();
	const person = gitlab.addPerson({ email: "person@example.com" });

	const naming = { "x-tenant-id": tenantId };
	const newBrowser = () =>
		new Browser({ baseURL: `${ORIGIN}/api/auth`, handler: instance.auth.handler });
	const browser = newBrowser();
	const ask = async (path: string, body?: object, headers: Record<string, string> = {}) => {
		const response = await browser.fetch(path, { body, headers });
		expect(response.status, path).toBe(200);
	};
	const signIn = () => ask("/tenant/sign-in/email", { email, password }, naming);
	const manage = async (path: string, query: Record<string, string>) => {
		expect((await instance.manage(path, { query })).status).toBe(200);
	};
	let cursor: string | null = null;
	/**
	 * Without a total: to count is to read all rows of the tenant. And three rows: SQLite without
	 * statistics reads all users of a tenant rather than four by their ids.
	 */
	const walkList = async (path: string, query: Record<string, string> = {}) => {
		const all = { tenantId, limit: "3", total: "none", ...query };
		const answer = await instance.manage(path, { query: all });
		expect([answer.status, answer.body.length]).toEqual([200, 3]);
		cursor = answer.headers.get("x-next-cursor");
	};
	const signInSocially = async () => {
		const browser = newBrowser();
		const body = { provider: "gitlab", callbackURL: "/home" };
		const response = await browser.fetch("/tenant/sign-in/social", { body, headers: naming });
		const { url }: { url: string } = await response.json();
		expect((await browser.follow(url, { as: person })).url.pathname).toBe("/home");
	};

	/** More ids than SQLite looks up one by one if the statement also names the tenant. */
	const importBatch = async (status: "created" | "unchanged") => {
		const lines = Array.from({ length: 6 }, (_, n) => ({
			...{ externalId: `imported-${n}`, email: `imported-${n}@example.com` },
			accounts: [{ providerId: "gitlab", accountId: `imported-${n}` }],
		}));
		for await (const result of importUsers(instance.auth, { tenantId, lines })) {
			expect(result).toMatchObject({ status });
		}
	};

	const walks: Record<HotPath, () => Promise<void>> = {
		"a sign-up": async () => {
			expect((await instance.signUp(tenantId, email, password)).status).toBe(200);
		},
		"a sign-in": signIn,
		"get-session": () => ask("/get-session"),
		"get-session in a tenant that the request names": () => ask("/get-session", undefined, naming),
		"list-sessions": () => ask("/list-sessions"),
		"update-user": () => ask("/update-user", { name: "Ada L." }),
		"sign-out": () => ask("/sign-out", {}),
		"a password reset": async () => {
			await ask("/request-password-reset", { email, redirectTo: "/reset" }, naming);
			await ask("/reset-password", { token: tokens.at(-1), newPassword: password });
		},
		"a sign-in by a link": async () => {
			await ask("/sign-in/magic-link", { email, callbackURL: "/home" }, naming);
			expect((await newBrowser().follow(links.at(-1) ?? "")).url.pathname).toBe("/home");
		},
		"a sign-in with a second factor": async () => {
			await signIn();
			await ask("/two-factor/enable", { password });
			await signIn();
			await ask("/two-factor/send-otp", {}, naming);
			await ask("/two-factor/verify-otp", { code: codes.at(-1) }, naming);
		},
		"a social sign-in of a new user": signInSocially,
		"a social sign-in of a known user": signInSocially,
		"tenant get by id": () => manage("/tenant/get", { id: tenantId }),
		"tenant get by slug": () => manage("/tenant/get", { slug: "acme" }),
		"tenant create": async () => {
			await instance.makeTenant("globex");
		},
		"config list": () => manage("/tenant/oauth-config/list", { tenantId }),
		"user list": () => walkList("/tenant/user/list"),
		"user list by cursor": () => walkList("/tenant/user/list", { cursor: cursor ?? "" }),
		"user list, last page": () => walkList("/tenant/user/list", { order: "oldest" }),
		"session list": () => walkList("/tenant/session/list"),
		"session list by cursor": () => walkList("/tenant/session/list", { cursor: cursor ?? "" }),
		"sign-in list": () => walkList("/tenant/sign-in/list"),
		"sign-in list by cursor": () => walkList("/tenant/sign-in/list", { cursor: cursor ?? "" }),
		"sign-in list of an email": () => manage("/tenant/sign-in/list", { ...ofEmail, tenantId }),
		"delivery list": () => walkList("/tenant/webhook/delivery/list"),
		"delivery list by cursor": () =>
			walkList("/tenant/webhook/delivery/list", { cursor: cursor ?? "" }),
		"deliveries that are due": async () => {
			expect(await deliverWebhooks(instance.auth)).toMatchObject({ delivered: 0, failed: 0 });
		},
		"an import of new users": () => importBatch("created"),
		"an import of known users": () => importBatch("unchanged"),
	};
	const asked = {} as Record<HotPath, Statement[]>;
	for (const path of walkedPaths) {
		database.statements.length = 0;
		await walks[path]();
		asked[path] = [...database.statements];
	}
	await gitlab.close();
	return asked;

	async function addClient(): Promise<void> {
		const redirectURIs = [`${ORIGIN}/api/auth/tenant/callback/gitlab`];
		const { clientId, clientSecret } = await gitlab.addClient({ redirectURIs });
		const body = {
			...{ tenantId, providerId: "gitlab", clientId, clientSecret },
			options: { issuer: gitlab.url },
		};
		await instance.manage("/tenant/oauth-config/register", { body });
	}
}
