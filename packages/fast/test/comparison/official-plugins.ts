import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import type { BetterAuthPlugin } from "better-auth";
import { lastLoginMethod, oAuthProxy, oauthPopup, oneTap, openAPI } from "better-auth/plugins";
import { scimPlugin } from "../../../tenant-auth/test/support/providers/scim";
import { everyPlugin } from "../../../tenant-auth/test/support/worlds/every-plugin";

const plugin = (made: object) => made as BetterAuthPlugin;

/** All plugins of Better Auth that have endpoints and need no outside service. */
export const officialPlugins = (): BetterAuthPlugin[] => [
	...Object.values(everyPlugin).map((make) => plugin(make())),
	plugin(apiKey()),
	plugin(passkey()),
	plugin(oauthProvider({ loginPage: "/sign-in", consentPage: "/consent" })),
	plugin(scimPlugin()),
	plugin(openAPI()),
	plugin(oneTap()),
	plugin(oAuthProxy()),
	plugin(oauthPopup()),
	plugin(lastLoginMethod()),
];
