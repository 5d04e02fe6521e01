import { expect, test } from "vitest";
import { notEmpty } from "../../../testing/not-empty";
import { CALLBACK, generalGuide } from "../src/operator/providers/guides/guide";
import { findProduct, OPENID_GUIDES } from "../src/operator/providers/guides/openid-guides";
import { SOCIAL_GUIDES } from "../src/operator/providers/guides/social-guides";
import { PROVIDERS } from "../src/providers";

const guides = [
	...Object.entries(SOCIAL_GUIDES),
	...Object.entries(OPENID_GUIDES),
	["general", generalGuide("Example")] as const,
];

test.each(guides)(
	"the guide of %s has one step for the callback URL, and no open marks",
	(_, guide) => {
		expect(guide.steps.filter((step) => step.includes(CALLBACK))).toHaveLength(1);
		if (guide.url) expect(new URL(guide.url).protocol).toBe("https:");
		expect(guide.errors.length).toBeGreaterThan(0);
		const texts = [...guide.steps, ...guide.errors.flatMap(({ says, help }) => [says, help])];
		for (const text of notEmpty(texts)) {
			expect([text, text.split("**").length % 2, text.split("`").length % 2]).toEqual([text, 1, 1]);
		}
		expect(new Set(guide.steps).size).toBe(guide.steps.length);
		expect(new Set(guide.errors.map(({ says }) => says)).size).toBe(guide.errors.length);
	},
);

test("every guide of a social provider belongs to a built-in one", () => {
	expect(Object.keys(SOCIAL_GUIDES).filter((id) => !Object.hasOwn(PROVIDERS, id))).toEqual([]);
});

test.each([
	["oidc:okta", "", "okta"],
	["oidc:staff", "https://acme.eu.auth0.com/", "auth0"],
	["oidc:staff", "https://sso.example.com/realms/acme", "keycloak"],
	["oidc:staff", "https://login.microsoftonline.com/x/v2.0", "entra"],
	["oidc:staff", "https://idp.example.com", "other"],
])("the product of %s at “%s” is %s", (id, issuer, product) => {
	expect(findProduct(id, issuer)).toBe(product);
});
