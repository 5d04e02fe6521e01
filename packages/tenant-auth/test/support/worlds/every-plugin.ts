import { sso } from "@better-auth/sso";
import type { BetterAuthPlugin } from "better-auth";
import * as plugins from "better-auth/plugins";
import { createAccessControl } from "better-auth/plugins/access";
import { defaultStatements } from "better-auth/plugins/organization/access";

const nothing = async () => {};

/** Better Auth's plugins that have endpoints, configured as an app would do it. */
export const everyPlugin = {
	username: () => plugins.username(),
	"magic-link": () => plugins.magicLink({ sendMagicLink: nothing }),
	"email-otp": () =>
		plugins.emailOTP({ sendVerificationOTP: nothing, changeEmail: { enabled: true } }),
	"two-factor": () => plugins.twoFactor({ otpOptions: { sendOTP: nothing } }),
	anonymous: () => plugins.anonymous(),
	"one-time-token": () => plugins.oneTimeToken(),
	"multi-session": () => plugins.multiSession(),
	bearer: () => plugins.bearer(),
	admin: () => plugins.admin(),
	organization: () =>
		plugins.organization({
			teams: { enabled: true },
			ac: createAccessControl(defaultStatements),
			dynamicAccessControl: { enabled: true },
		}) as unknown as BetterAuthPlugin,
	"phone-number": () =>
		plugins.phoneNumber({ sendOTP: nothing, sendPasswordResetOTP: nothing }) as BetterAuthPlugin,
	siwe: () =>
		plugins.siwe({
			domain: "localhost:3000",
			getNonce: async () => "nonce".repeat(4),
			verifyMessage: async () => true,
		}),
	sso: () => sso({ domainVerification: { enabled: true } }) as unknown as BetterAuthPlugin,
	"device-authorization": () => plugins.deviceAuthorization() as BetterAuthPlugin,
	jwt: () => plugins.jwt() as BetterAuthPlugin,
	"generic-oauth": () =>
		plugins.genericOAuth({
			config: [
				{
					providerId: "generic",
					clientId: "client",
					clientSecret: "secret",
					authorizationUrl: "https://provider.example.com/authorize",
					tokenUrl: "https://provider.example.com/token",
				},
			],
		}),
} satisfies Record<string, () => BetterAuthPlugin>;
