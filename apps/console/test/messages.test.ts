import { expect, test } from "vitest";
import { ApiError } from "../src/api/api-error";
import { messageOf } from "../src/tenant/messages";

test.each([429, 503])("a full password queue has its own text, with status %i", (status) => {
	const error = new ApiError(status, "PASSWORD_QUEUE_FULL", "Queue full");
	expect(messageOf(error)).toContain("Many people are signing in");
});

test("other errors with status 429 are about too many attempts", () => {
	expect(messageOf(new ApiError(429, "", "Slow down"))).toContain("Too many attempts");
});

test("an unknown server error does not show the message of the server", () => {
	expect(messageOf(new ApiError(500, "", "secret detail"))).not.toContain("secret detail");
});

test("an unknown rejection shows the message of the server", () => {
	expect(messageOf(new ApiError(400, "SOMETHING_ELSE", "Not like this"))).toBe("Not like this");
});
