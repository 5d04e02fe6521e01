import { describe, expect, it } from "vitest";
import { type Flow, isSameFlow } from "../../src/call/context/oauth-flow";

const began: Flow = {
	tenantId: "a",
	providerId: "google",
	source: "tenant",
	configId: "config",
	fingerprint: "digest",
};
const others: { [Name in keyof Flow]: Flow[Name] } = {
	tenantId: "b",
	providerId: "github",
	source: "global",
	configId: null,
	fingerprint: "another digest",
};

describe("a flow", () => {
	it("finishes where it began", () => {
		expect(isSameFlow(began, { ...began })).toBe(true);
	});

	it.each(Object.entries(others))("is another one with another %s", (name, value) => {
		expect(isSameFlow(began, { ...began, [name]: value })).toBe(false);
	});
});
