import { oAuthProxy } from "better-auth/plugins";
import { expect, it } from "vitest";
import { makeInstance } from "../support/instance";

it("a plugin whose flows would lose their tenant stops the start, and says why", async () => {
	const { auth } = await makeInstance({ plugins: [oAuthProxy()] });
	await expect(auth.$context).rejects.toThrow(/oauth-proxy cannot be used with it: its callbacks/);
});
