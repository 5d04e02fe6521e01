import { adminMatrix } from "./admin";
import { anonymousMatrix } from "./anonymous";
import { apiKeyMatrix } from "./api-key";
import { bearerMatrix } from "./bearer";
import { captchaMatrix } from "./captcha";
import { customSessionMatrix } from "./custom-session";
import { deviceAuthorizationMatrix } from "./device-authorization";
import { electronMatrix } from "./electron";
import { emailOtpMatrix } from "./email-otp";
import { expoMatrix } from "./expo";
import { genericOAuthMatrix } from "./generic-oauth";
import { haveIBeenPwnedMatrix } from "./have-i-been-pwned";
import { i18nMatrix } from "./i18n";
import { jwtMatrix } from "./jwt";
import { lastLoginMethodMatrix } from "./last-login-method";
import { magicLinkMatrix } from "./magic-link";
import type { PluginMatrix } from "./matrix";
import { multiSessionMatrix } from "./multi-session";
import { oauthProviderMatrix } from "./oauth-provider";
import { makeOneTapMatrix } from "./one-tap";
import { oneTimeTokenMatrix } from "./one-time-token";
import { openApiMatrix } from "./open-api";
import { organizationMatrix } from "./organization";
import { passkeyMatrix } from "./passkey";
import { phoneNumberMatrix } from "./phone-number";
import { scimMatrix } from "./scim";
import { siweMatrix } from "./siwe";
import { makeSsoMatrix } from "./sso";
import { stripeMatrix } from "./stripe";
import { twoFactorMatrix } from "./two-factor";
import { usernameMatrix } from "./username";

/** Adds the tests of every plugin. Returns the names of the plugins. */
export const describeAllPlugins = (
	describeMatrix: <Own>(matrix: PluginMatrix<Own>) => string,
): string[] => [
	describeMatrix(adminMatrix),
	describeMatrix(anonymousMatrix),
	describeMatrix(apiKeyMatrix),
	describeMatrix(bearerMatrix),
	describeMatrix(captchaMatrix),
	describeMatrix(customSessionMatrix),
	describeMatrix(deviceAuthorizationMatrix),
	describeMatrix(electronMatrix),
	describeMatrix(emailOtpMatrix),
	describeMatrix(expoMatrix),
	describeMatrix(genericOAuthMatrix),
	describeMatrix(haveIBeenPwnedMatrix),
	describeMatrix(i18nMatrix),
	describeMatrix(jwtMatrix),
	describeMatrix(lastLoginMethodMatrix),
	describeMatrix(magicLinkMatrix),
	describeMatrix(multiSessionMatrix),
	describeMatrix(oauthProviderMatrix),
	describeMatrix(makeOneTapMatrix()),
	describeMatrix(oneTimeTokenMatrix),
	describeMatrix(openApiMatrix),
	describeMatrix(organizationMatrix),
	describeMatrix(passkeyMatrix),
	describeMatrix(phoneNumberMatrix),
	describeMatrix(scimMatrix),
	describeMatrix(siweMatrix),
	describeMatrix(makeSsoMatrix()),
	describeMatrix(stripeMatrix),
	describeMatrix(twoFactorMatrix),
	describeMatrix(usernameMatrix),
];
