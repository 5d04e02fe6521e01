import { describe, expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { APPLICATION_TYPES } from "../src/operator/api/applications";
import { snippetsFor } from "../src/operator/applications/snippets/snippets";

const issuer = "https://auth.example.com/t/acme";

const snippetsOf = (type: (typeof APPLICATION_TYPES)[number], redirectUris: string[]) =>
	snippetsFor({ clientId: "client-1", type, redirectUris }, issuer);

describe("the code to copy", () => {
	test.each(APPLICATION_TYPES)("has the issuer and no empty place, for %s", (type) => {
		for (const { title, files } of notEmpty(
			snippetsOf(type, ["https://app.example.com/auth/done"]),
		)) {
			const text = files.map((file) => file.text).join("\n");
			expect(text, title).toContain(issuer);
			expect(text, title).not.toMatch(/\{\{\w|=undefined/);
		}
	});

	test("uses the redirect URI of the application", () => {
		const snippets = snippetsOf("web", ["https://app.example.com/auth/done"]);
		const next = snippets.find(({ title }) => title === "Next.js");
		expect(next?.files.map(({ name }) => name)).toContain("app/auth/done/route.js");
		expect(next?.files[0]?.text).toContain(
			[
				`ISSUER=${issuer}`,
				"CLIENT_ID=client-1",
				"CLIENT_SECRET=the-client-secret",
				"REDIRECT_URI=https://app.example.com/auth/done",
			].join("\n"),
		);
		expect(next?.files[0]?.text).toMatch(/^SESSION_SECRET=[\da-f]{64}$/m);
	});

	test("names no secret for an app that cannot keep one", () => {
		for (const { files } of notEmpty([...snippetsOf("spa", []), ...snippetsOf("native", [])])) {
			expect(files.map(({ text }) => text).join("\n")).not.toContain("CLIENT_SECRET");
		}
	});
});
