import { describe, expect, test } from "vitest";
import {
	findPolicyProblems,
	toDuration,
	toPolicy,
	toPolicyValues,
	toSeconds,
} from "../src/operator/policy/policy-form";

const policy = {
	signUp: { mode: "invite" as const, emailDomains: ["acme.com", "acme.org"] },
	signIn: { methods: ["password" as const], providers: null, fallbackToGlobal: false },
	password: { minLength: 14, rejectBreached: true },
	session: { lifetime: 12 * 3600, idleTime: 90 * 60 },
	secondFactor: { required: true },
};

describe("the form of a policy", () => {
	test("keeps a policy as it is", () => {
		expect(toPolicy(toPolicyValues(policy))).toEqual(policy);
	});

	test("writes empty fields as no rule", () => {
		const values = { ...toPolicyValues(policy), emailDomains: " ", minLength: "" };
		expect(toPolicy(values).signUp.emailDomains).toBeNull();
		expect(toPolicy(values).password.minLength).toBeNull();
	});

	test("shows a duration in the biggest unit that fits", () => {
		expect(toDuration(7 * 86_400)).toEqual({ amount: "7", unit: "days" });
		expect(toDuration(36 * 3600)).toEqual({ amount: "36", unit: "hours" });
		expect(toDuration(5400)).toEqual({ amount: "90", unit: "minutes" });
		expect(toDuration(null).amount).toBe("");
		expect(toSeconds({ amount: "1.5", unit: "hours" })).toBe(5400);
		expect(toSeconds({ amount: " ", unit: "hours" })).toBeNull();
	});

	test("finds what the service would reject", () => {
		const values = toPolicyValues(policy);
		expect(findPolicyProblems(values)).toEqual({});
		const wrong = {
			...values,
			minLength: "129",
			lifetime: { amount: "two", unit: "hours" as const },
			idleTime: { amount: "366", unit: "days" as const },
			methods: [],
		};
		expect(Object.keys(findPolicyProblems(wrong)).sort()).toEqual([
			"idleTime",
			"lifetime",
			"methods",
			"minLength",
		]);
	});
});
