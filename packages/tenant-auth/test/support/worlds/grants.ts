import { oauthProvider } from "@better-auth/oauth-provider";
import { admin, jwt, multiSession, twoFactor } from "better-auth/plugins";
import { inServerCode, relyingParties } from "../providers/oauth-relying-party";
import { cheapPasswords } from "./cheap-passwords";
import { type InstanceOptions, PASSWORD } from "./instance";
import { makeTwoUsers } from "./two-tenants";

const SCOPES = ["openid", "profile", "email", "offline_access"];

/** How many seconds the tokens of a refresh are repeated. */
const LEEWAY = 30;

/**
 * Two tenants with a user and an application each, a platform admin who acts through the admin plugin,
 * and every way to end a session.
 */
export async function makeGrants({ tenants, plugins = [], ...options }: InstanceOptions = {}) {
	const sent: { token: string }[] = [];
	const app = await makeTwoUsers({
		disabledPaths: ["/token"],
		user: { deleteUser: { enabled: true } },
		emailAndPassword: {
			...cheapPasswords,
			enabled: true,
			revokeSessionsOnPasswordReset: true,
			sendResetPassword: async ({ token }) => void sent.push({ token }),
		},
		...options,
		tenants: { adminRoles: ["admin"], ...tenants },
		plugins: [
			twoFactor(),
			jwt(),
			oauthProvider({
				loginPage: "/login",
				consentPage: "/consent",
				allowDynamicClientRegistration: true,
				scopes: SCOPES,
				clientRegistrationAllowedScopes: SCOPES,
				clientPrivileges: async () => true,
				refreshTokenReuseInterval: LEEWAY,
			}),
			admin(),
			multiSession(),
			...plugins,
		],
	});
	const { call, db, a, ada, bob } = app;
	const credentials = { email: "operator@example.com", password: PASSWORD };
	const { body } = await call("/sign-up/email", { body: { name: "Operator", ...credentials } });
	await db.updateTable("user").set({ role: "admin" }).where("id", "=", body.user.id).execute();
	const operator = await call("/sign-in/email", { body: credentials });
	const act = (path: string, body: object) =>
		call(`/admin${path}`, { cookie: operator.cookie, tenant: a, body });
	const parties = relyingParties(app);
	const ofA = await parties.register(ada.cookie);
	const ofB = await parties.register(bob.cookie);
	const tokensOf = async (party: typeof ofA, cookie: string) =>
		(await parties.redeem(party, await parties.obtainCode(party, cookie))).body;
	const userInfo = (token: string) =>
		call("/oauth2/userinfo", { headers: { authorization: `Bearer ${token}` } });
	const createClient = (more: object = {}) =>
		inServerCode(app, ada).createClient({ scope: SCOPES.join(" "), ...more });
	return { ...app, ...parties, sent, act, ofA, ofB, tokensOf, userInfo, createClient };
}

export type Grants = Awaited<ReturnType<typeof makeGrants>>;
