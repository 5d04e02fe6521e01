import { expo } from "@better-auth/expo";
import { type BetterAuthOptions, betterAuth } from "better-auth";
import { bearer } from "better-auth/plugins";
import { tenantAuth } from "better-auth-tenant";
import { tenantOpenId } from "better-auth-tenant/openid";
import { database } from "./database.js";

export const port = Number(process.env.PORT ?? 3000);
export const origin = process.env.BETTER_AUTH_URL ?? `http://localhost:${port}`;

export const options = {
	baseURL: origin,
	database,
	// Without this, only if NODE_ENV is production.
	rateLimit: { enabled: true },
	// The app has registered this scheme at the system of the phone.
	trustedOrigins: ["myapp://"],
	plugins: [
		// The identity provider of this example is on this machine. In production, remove the option.
		tenantAuth({ allowPrivateProviderHosts: true }),
		tenantOpenId(),
		// The app keeps the session in a token, not in a cookie.
		bearer(),
		// Hands the session to the app after a sign-in in the browser.
		expo(),
	],
} satisfies BetterAuthOptions;

export const auth = betterAuth(options);
