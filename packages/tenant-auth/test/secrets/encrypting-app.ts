import { type BetterAuthOptions, betterAuth } from "better-auth";
import { setTokenUtil } from "better-auth/oauth2";
import { jwt, twoFactor } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { tenantWebhooks } from "better-auth-tenant/webhooks";
import { keepLog } from "../support/processes/kept-log";
import { totpOf } from "../support/providers/totp";
import {
	EMAIL,
	type HostDatabase,
	makeInstance,
	ORIGIN,
	PASSWORD,
} from "../support/worlds/instance";

const older = "the secret that was in use until now, long enough";
export const newest = "the secret that takes its place, long enough too!";

/** The secrets during a rotation, and after it. */
export const rotating = { secret: older, secrets: [{ version: 1, value: newest }] };
export const newestOnly = { secrets: [{ version: 1, value: newest }] };

const plugins = () => [twoFactor(), jwt()];
const account = { encryptOAuthTokens: true };
const socialProviders = { github: { clientId: "app", clientSecret: "secret" } };

/** An app that stores something in every place that is encrypted, for a user of a tenant. */
export async function makeEncryptingApp(on?: HostDatabase) {
	const app = await makeInstance({
		...(on ? { on } : {}),
		secret: older,
		account,
		socialProviders,
		plugins: plugins(),
	});
	const tenantId = await app.makeTenant();
	const config = { tenantId, providerId: "google", clientId: "theirs", clientSecret: "s" };
	await app.manage("/tenant/oauth-config/register", { body: config });
	const hook = { tenantId, url: "https://hooks.example.com/in", eventTypes: ["tenant.suspended"] };
	await app.manage("/tenant/webhook/create", { body: hook });

	const { cookie, body } = await app.signUp(tenantId);
	const user = { cookie, tenant: tenantId };
	const enabled = await app.call("/two-factor/enable", { ...user, body: { password: PASSWORD } });
	const code = () => totpOf(enabled.body.totpURI);
	const verified = await app.call("/two-factor/verify-totp", { ...user, body: { code: code() } });
	await app.call("/token", { cookie: verified.cookie });
	// Of a user of the platform: an account of a tenant needs a sign-in at its provider.
	const platformUser = { name: "User", email: EMAIL, password: PASSWORD };
	const signedUp = await app.call("/sign-up/email", { body: platformUser });
	const ctx = await app.auth.$context;
	const linked = await ctx.internalAdapter.createAccount({
		userId: signedUp.body.user.id,
		providerId: "github",
		accountId: "583231",
		accessToken: await setTokenUtil("the access token", ctx as never),
		refreshToken: await setTokenUtil("the refresh token", ctx as never),
	});

	/** The same app on the same database, started again with other secrets. */
	function restart(secrets: Pick<BetterAuthOptions, "secret" | "secrets">) {
		const { secret: _, ...rest } = app.options;
		const { lines, logger } = keepLog();
		const own = tenantAuth({ managementKeys: [...managementKeys] });
		const options = { ...(rest as BetterAuthOptions), ...secrets, logger };
		const auth = betterAuth({ ...options, plugins: [own, tenantWebhooks(), ...plugins()] });
		const post = async (path: string, body: object, cookie = "") => {
			const headers = {
				"content-type": "application/json",
				"x-tenant-id": tenantId,
				origin: ORIGIN,
				...(cookie ? { cookie } : { authorization: `Bearer ${managementKeys[0]}` }),
			};
			const url = `${ORIGIN}/api/auth${path}`;
			const init = { method: "POST", headers, body: JSON.stringify(body) };
			const response = await auth.handler(new Request(url, init));
			return {
				status: response.status,
				body: await response.json().catch(() => null),
				cookie: response.headers
					.getSetCookie()
					.filter((each) => !each.includes("Max-Age=0"))
					.map((each) => each.split(";")[0])
					.join("; "),
			};
		};
		/** Signs in with the password, and then with a code. */
		const signIn = async (path: string, code: string) => {
			const credentials = { tenantId, email: EMAIL, password: PASSWORD };
			const first = await post("/tenant/sign-in/email", credentials);
			return post(`/two-factor/${path}`, { code }, first.cookie);
		};
		return { auth, lines, post, signIn };
	}
	return {
		...app,
		tenantId,
		userId: body.user.id as string,
		/** Selects the account with the tokens. */
		linked: { accountId: String(linked?.id), userId: signedUp.body.user.id as string },
		code,
		recoveryCodes: enabled.body.backupCodes as [string, string],
		restart,
	};
}

const managementKeys = ["management-key-of-the-tests"] as const;
