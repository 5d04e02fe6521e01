import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adminMatrix } from "./plugins/admin";
import { anonymousMatrix } from "./plugins/anonymous";
import { apiKeyMatrix } from "./plugins/api-key";
import { bearerMatrix } from "./plugins/bearer";
import { captchaMatrix } from "./plugins/captcha";
import { customSessionMatrix } from "./plugins/custom-session";
import { describeMatrix } from "./plugins/describe-matrix";
import { deviceAuthorizationMatrix } from "./plugins/device-authorization";
import { emailOtpMatrix } from "./plugins/email-otp";
import { genericOAuthMatrix } from "./plugins/generic-oauth";
import { haveIBeenPwnedMatrix } from "./plugins/have-i-been-pwned";
import { jwtMatrix } from "./plugins/jwt";
import { lastLoginMethodMatrix } from "./plugins/last-login-method";
import { magicLinkMatrix } from "./plugins/magic-link";
import { multiSessionMatrix } from "./plugins/multi-session";
import { makeOneTapMatrix } from "./plugins/one-tap";
import { oneTimeTokenMatrix } from "./plugins/one-time-token";
import { openApiMatrix } from "./plugins/open-api";
import { organizationMatrix } from "./plugins/organization";
import { passkeyMatrix } from "./plugins/passkey";
import { phoneNumberMatrix } from "./plugins/phone-number";
import { siweMatrix } from "./plugins/siwe";
import { makeSsoMatrix } from "./plugins/sso";
import { twoFactorMatrix } from "./plugins/two-factor";
import { usernameMatrix } from "./plugins/username";

const described = [
	describeMatrix(adminMatrix),
	describeMatrix(anonymousMatrix),
	describeMatrix(apiKeyMatrix),
	describeMatrix(bearerMatrix),
	describeMatrix(captchaMatrix),
	describeMatrix(customSessionMatrix),
	describeMatrix(deviceAuthorizationMatrix),
	describeMatrix(emailOtpMatrix),
	describeMatrix(genericOAuthMatrix),
	describeMatrix(haveIBeenPwnedMatrix),
	describeMatrix(jwtMatrix),
	describeMatrix(lastLoginMethodMatrix),
	describeMatrix(magicLinkMatrix),
	describeMatrix(multiSessionMatrix),
	describeMatrix(makeOneTapMatrix()),
	describeMatrix(oneTimeTokenMatrix),
	describeMatrix(openApiMatrix),
	describeMatrix(organizationMatrix),
	describeMatrix(passkeyMatrix),
	describeMatrix(phoneNumberMatrix),
	describeMatrix(siweMatrix),
	describeMatrix(makeSsoMatrix()),
	describeMatrix(twoFactorMatrix),
	describeMatrix(usernameMatrix),
];

describe("the cross-tenant matrix of plugins", () => {
	it("has every plugin that docs/compatibility.md says works, and no other", () => {
		const file = new URL("../../../../docs/compatibility.md", import.meta.url);
		const [, table = ""] = readFileSync(file, "utf8").split("| --- | --- | --- | --- | --- |\n");
		const rows = (table.split("\n\n")[0] ?? "").trim().split("\n");
		const works = rows
			.filter((row) => !row.includes("refused at start"))
			.map((row) => String(row.split("|")[1]).trim())
			.filter((plugin) => plugin !== "additional fields");
		expect(works.sort()).toEqual(described.sort());
	});
});
