import { expect, it } from "vitest";
import { makeInstance } from "../support/worlds/instance";

const targets = [
	"/.//evil.example",
	"/%2e//evil.example",
	"/x/..//evil.example",
	"/./%2e//evil.example",
];

it.each(targets)("does not redirect to %s, which leads to another host", async (callbackURL) => {
	const { auth, call } = await makeInstance();
	Object.assign(await auth.$context, { skipOriginCheck: false });
	const answer = await call("/verify-email", { query: { token: "made-up", callbackURL } });
	expect([answer.status, answer.body.code]).toEqual([403, "INVALID_CALLBACK_URL"]);
});

it.each(["/", "/x", "/x//y", "/x/../y", "/x?to=//y"])("redirects to %s", async (callbackURL) => {
	const { auth, call } = await makeInstance();
	Object.assign(await auth.$context, { skipOriginCheck: false });
	const answer = await call("/verify-email", { query: { token: "made-up", callbackURL } });
	expect(answer.status).toBe(302);
	const base = "https://own.example";
	expect(new URL(answer.headers.get("location") ?? "", base).origin).toBe(base);
});
