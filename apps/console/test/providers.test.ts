import { socialProviderList } from "better-auth/social-providers";
import { expect, test } from "vitest";
import { providerOf, providers } from "../src/providers";

test("each of Better Auth's built-in providers has a name, and there is no other", () => {
	expect(Object.keys(providers).sort()).toEqual([...socialProviderList].sort());
});

test.each(["my-own", "constructor", "__proto__"])(
	"the unknown provider %s goes by its id",
	(id) => {
		expect(providerOf(id)).toEqual({ name: id });
	},
);
