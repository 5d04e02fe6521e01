import { socialProviderList } from "better-auth/social-providers";
import { expect, test } from "vitest";
import { PROVIDERS, providerOf } from "../src/providers";
import { PROVIDER_ICONS } from "../src/ui/provider-icons";

test("all built-in providers of Better Auth have a name, and no others", () => {
	expect(Object.keys(PROVIDERS).sort()).toEqual([...socialProviderList].sort());
});

test.each(["my-own", "constructor", "__proto__"])(
	"the unknown provider %s is shown by its id",
	(id) => {
		expect(providerOf(id)).toEqual({ name: id });
	},
);

test("the marks are those of known providers, which have a color", () => {
	const icons = Object.keys(PROVIDER_ICONS);
	expect(icons).toContain("github");
	expect(icons.filter((id) => !PROVIDERS[id]?.color)).toEqual([]);
});
