import { describe, expect, test } from "vitest";
import { ApiError } from "../src/api/client";
import { errorMessage, problemOf } from "../src/sign-in/error-messages";
import { en } from "../src/sign-in/texts/en";

const messageOf = (status: number, code: string, message = "") =>
	errorMessage(new ApiError(status, code, message), en);

describe("the message for a failed call", () => {
	test.each([429, 503])("has its own text for a full password queue, with status %i", (status) => {
		expect(messageOf(status, "PASSWORD_QUEUE_FULL")).toContain("Many people are signing in");
	});

	test("is about too many attempts for other errors with status 429", () => {
		expect(messageOf(429, "", "Slow down")).toContain("Too many attempts");
	});

	test("hides the server's text of an unknown error with status 500", () => {
		expect(messageOf(500, "", "secret detail")).not.toContain("secret detail");
	});

	test("is the server's text for an unknown rejection", () => {
		expect(messageOf(400, "SOMETHING_ELSE", "Not like this")).toBe("Not like this");
	});

	test("asks a user whose session has ended to sign in again", () => {
		expect(messageOf(401, "UNAUTHORIZED", "Unauthorized")).toContain("Sign in again");
	});

	test.each(["unknown", "offline", "constructor", "toString"])(
		"is not one of our own texts for the code %s",
		(code) => {
			expect(messageOf(400, code, "Not like this")).toBe("Not like this");
		},
	);
});

const problem = (parameters: Record<string, string>) =>
	problemOf(new URLSearchParams(parameters), en);

describe("the text for a failed OAuth flow", () => {
	test("explains the error code in upper or lower case", () => {
		expect(problem({ error: "access_denied" }).text).toContain("canceled");
		expect(problem({ error: "ACCESS_DENIED" })).toEqual(problem({ error: "access_denied" }));
	});

	test.each([null, "", "never_heard_of", "constructor"])("is general for the code %j", (code) => {
		expect(problem(code === null ? {} : { error: code }).title).toBe("Could not sign in");
	});

	test("is about the app if its request was wrong, and about the provider otherwise", () => {
		const error = "invalid_client";
		expect(problem({ error }).title).toContain("This provider");
		expect(problem({ error, from: "app" }).title).toBe("This app is not registered here");
		expect(problem({ error: "unsupported_response_type", from: "app" }).title).toContain("The app");
	});
});
