import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { adminMatrix } from "./matrix/plugins/admin";
import { anonymousMatrix } from "./matrix/plugins/anonymous";
import { apiKeyMatrix } from "./matrix/plugins/api-key";
import { bearerMatrix } from "./matrix/plugins/bearer";
import { captchaMatrix } from "./matrix/plugins/captcha";
import { customSessionMatrix } from "./matrix/plugins/custom-session";
import { describeMatrix } from "./matrix/plugins/describe-matrix";
import { deviceAuthorizationMatrix } from "./matrix/plugins/device-authorization";
import { emailOtpMatrix } from "./matrix/plugins/email-otp";
import { genericOAuthMatrix } from "./matrix/plugins/generic-oauth";
import { haveIBeenPwnedMatrix } from "./matrix/plugins/have-i-been-pwned";
import { jwtMatrix } from "./matrix/plugins/jwt";
import { lastLoginMethodMatrix } from "./matrix/plugins/last-login-method";
import { magicLinkMatrix } from "./matrix/plugins/magic-link";
import { multiSessionMatrix } from "./matrix/plugins/multi-session";
import { makeOneTapMatrix } from "./matrix/plugins/one-tap";
import { oneTimeTokenMatrix } from "./matrix/plugins/one-time-token";
import { openApiMatrix } from "./matrix/plugins/open-api";
import { organizationMatrix } from "./matrix/plugins/organization";
import { passkeyMatrix } from "./matrix/plugins/passkey";
import { phoneNumberMatrix } from "./matrix/plugins/phone-number";
import { siweMatrix } from "./matrix/plugins/siwe";
import { twoFactorMatrix } from "./matrix/plugins/two-factor";
import { usernameMatrix } from "./matrix/plugins/username";

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
	describeMatrix(twoFactorMatrix),
	describeMatrix(usernameMatrix),
];

describe("the cross-tenant matrix of plugins", () => {
	it("has every plugin that docs/compatibility.md says works, and no other", () => {
		const file = new URL("../../../docs/compatibility.md", import.meta.url);
		const [, table = ""] = readFileSync(file, "utf8").split("| --- | --- | --- | --- | --- |\n");
		const rows = (table.split("\n\n")[0] ?? "").trim().split("\n");
		const works = rows
			.filter((row) => !row.includes("refused at start"))
			.map((row) => String(row.split("|")[1]).trim())
			.filter((plugin) => plugin !== "additional fields");
		expect(works.sort()).toEqual(described.sort());
	});
});
