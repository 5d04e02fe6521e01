import { describe, expect, it } from "vitest";
import { makeInstance } from "../support/instance";

describe("a body that is no JSON", () => {
	it.each(["{", "{'name':'x'}", "[1,", "undefined", '{"name":"x"'])(
		"is a VALIDATION_ERROR: %s",
		async (body) => {
			const { manage, db } = await makeInstance();
			const answer = await manage("/tenant/create", { body });
			expect([answer.status, answer.body.code]).toEqual([400, "VALIDATION_ERROR"]);
			expect(await db.selectFrom("tenant").selectAll().execute()).toEqual([]);
		},
	);

	it("is core's to answer at core's own paths", async () => {
		const { call } = await makeInstance();
		expect((await call("/sign-in/email", { body: "{" })).status).toBe(400);
	});
});
