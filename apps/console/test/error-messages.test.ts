import { describe, expect, test } from "vitest";
import { ApiError } from "../src/api/client";
import { describeOAuthError, errorMessage } from "../src/tenant/error-messages";

describe("the message for a failed call", () => {
	test.each([429, 503])("has its own text for a full password queue, with status %i", (status) => {
		const error = new ApiError(status, "PASSWORD_QUEUE_FULL", "Queue full");
		expect(errorMessage(error)).toContain("Many people are signing in");
	});

	test("is about too many attempts for other errors with status 429", () => {
		expect(errorMessage(new ApiError(429, "", "Slow down"))).toContain("Too many attempts");
	});

	test("hides the server's text of an unknown error with status 500", () => {
		expect(errorMessage(new ApiError(500, "", "secret detail"))).not.toContain("secret detail");
	});

	test("is the server's text for an unknown rejection", () => {
		expect(errorMessage(new ApiError(400, "SOMETHING_ELSE", "Not like this"))).toBe(
			"Not like this",
		);
	});
});

describe("the text for a failed OAuth flow", () => {
	test("explains the error code in upper or lower case", () => {
		expect(describeOAuthError("access_denied").text).toContain("canceled");
		expect(describeOAuthError("ACCESS_DENIED")).toEqual(describeOAuthError("access_denied"));
	});

	test.each([null, "", "never_heard_of", "constructor"])("is general for the code %j", (code) => {
		expect(describeOAuthError(code).title).toBe("Could not sign in");
	});
});
