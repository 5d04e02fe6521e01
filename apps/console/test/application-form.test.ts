import { describe, expect, test } from "vitest";
import {
	type ApplicationValues,
	findApplicationProblems,
	findMissing,
	newApplicationValues,
	shownOrigins,
	toSettings,
} from "../src/operator/applications/application-form";

const values = (changes: Partial<ApplicationValues>): ApplicationValues => ({
	...newApplicationValues,
	name: "Notes",
	redirectUris: "https://app.example.com/callback",
	...changes,
});

describe("the form of an application", () => {
	test("a list has one URL per line, without repetitions", () => {
		const redirectUris = " https://a.example/cb \n\nhttps://b.example/cb\nhttps://a.example/cb";
		expect(toSettings(values({ redirectUris })).redirectUris).toEqual([
			"https://a.example/cb",
			"https://b.example/cb",
		]);
	});

	test("a single-page app gets the origins of its redirect URIs, until somebody types others", () => {
		const spa = values({ type: "spa", redirectUris: "https://a.example/x\nhttps://a.example/y" });
		expect(shownOrigins(spa)).toBe("https://a.example");
		expect(toSettings(spa).allowedOrigins).toEqual(["https://a.example"]);
		expect(shownOrigins({ ...spa, type: "web" })).toBe("");
		const typed = { ...spa, allowedOrigins: "https://b.example/" };
		expect(toSettings(typed).allowedOrigins).toEqual(["https://b.example"]);
	});

	test("a program without users has no URLs and no consent", () => {
		const machine = values({ type: "machine", firstParty: true, requirePkce: false });
		expect(toSettings(machine)).toMatchObject({
			redirectUris: [],
			allowedOrigins: [],
			firstParty: false,
			requirePkce: true,
			offlineAccess: false,
		});
		expect(findMissing({ ...machine, redirectUris: "" })).toBeNull();
		expect(findMissing({ ...machine, name: "" })).toBe("Enter a name first.");
		expect(findMissing(values({}))).toBeNull();
		expect(findMissing(values({ redirectUris: "" }))).toBe("Enter a redirect URI first.");
		expect(findMissing(values({ name: " " }))).toBe("Enter a name first.");
		expect(findMissing(values({ name: "", redirectUris: "" }))).toBe(
			"Enter a name and a redirect URI first.",
		);
	});

	test.each([
		["web", "https://app.example.com/callback", null],
		["web", "http://localhost:4000/callback", null],
		["web", "http://[::1]:4000/callback", null],
		["web", "https://{tenant}.notes.example/callback", null],
		["web", "http://app.example.com/callback", "must start with https://"],
		["web", "https://app.example.com/#done", "must not have a fragment"],
		["web", "com.example.app:/callback", "must start with https://"],
		["native", "com.example.app:/callback", null],
		["native", "callback", "is not a URL"],
	] as const)("the redirect URI of a %s app: %s", (type, redirectUris, problem) => {
		const found = findApplicationProblems(values({ type, redirectUris })).redirectUris;
		if (problem === null) expect(found).toBeUndefined();
		else expect(found).toContain(problem);
	});

	test("an origin has no path", () => {
		const spa = values({ type: "spa", allowedOrigins: "https://app.example.com/login" });
		expect(findApplicationProblems(spa).allowedOrigins).toContain("“https://app.example.com”");
	});

	test("an application has at least one scope", () => {
		expect(findApplicationProblems(values({ scopes: [] })).scopes).toBeDefined();
		expect(findApplicationProblems(values({ scopes: null }))).toEqual({});
	});
});
