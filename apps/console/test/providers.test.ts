import { socialProviderList } from "better-auth/social-providers";
import { expect, test } from "vitest";
import { PROVIDERS, providerOf } from "../src/providers";

test("all built-in providers of Better Auth have a name, and no others", () => {
	expect(Object.keys(PROVIDERS).sort()).toEqual([...socialProviderList].sort());
});

test.each(["my-own", "constructor", "__proto__"])(
	"the unknown provider %s is shown by its id",
	(id) => {
		expect(providerOf(id)).toEqual({ name: id });
	},
);
