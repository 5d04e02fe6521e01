import { expect, test } from "vitest";
import { oauthFailure } from "../src/tenant/oauth-failures";

test("a failed flow is told in plain words, in whichever spelling its code comes", () => {
	expect(oauthFailure("access_denied").text).toContain("cancelled");
	expect(oauthFailure("ACCESS_DENIED")).toEqual(oauthFailure("access_denied"));
});

test.each([null, "", "never_heard_of", "constructor"])("the code %j is told as unknown", (code) => {
	expect(oauthFailure(code).title).toBe("Signing in did not work");
});
