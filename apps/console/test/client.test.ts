import { describe, expect, test } from "vitest";
import { ApiError, callApi, callListApi } from "../src/api/client";

const rejected = { data: null, error: { status: 403, code: "FORBIDDEN", message: "Not allowed" } };

describe("a call", () => {
	test("returns its data, also if that is null", async () => {
		expect(await callApi(Promise.resolve({ data: { id: "1" }, error: null }))).toEqual({ id: "1" });
		expect(await callApi(Promise.resolve({ data: null, error: null }))).toBeNull();
	});

	test("throws status, code and message of a rejection", async () => {
		await expect(callApi(Promise.resolve(rejected))).rejects.toEqual(
			new ApiError(403, "FORBIDDEN", "Not allowed"),
		);
	});

	test("throws status 0 if the server cannot be reached", async () => {
		const error = await callApi(Promise.reject(new TypeError("fetch failed"))).catch((e) => e);
		expect(error).toMatchObject({ name: "ApiError", status: 0, code: "" });
	});
});

describe("a call for a list", () => {
	const listWith = (headers: Record<string, string>) =>
		callListApi(async ({ onResponse }) => {
			onResponse({ response: new Response(null, { headers }) });
			return { data: ["a", "b"], error: null };
		});

	test("has the total from the header", async () => {
		expect(await listWith({ "x-total-count": "51" })).toEqual({
			items: ["a", "b"],
			total: 51,
			nextCursor: null,
			searchLimited: false,
		});
	});

	test("counts its items if there is no header", async () => {
		expect(await listWith({})).toEqual({
			items: ["a", "b"],
			total: 2,
			nextCursor: null,
			searchLimited: false,
		});
	});

	test("has the cursor of the next page from the header", async () => {
		expect(await listWith({ "x-next-cursor": "after-b" })).toMatchObject({
			nextCursor: "after-b",
			searchLimited: false,
		});
	});
});
