import { expect, test } from "vitest";
import { findRole } from "../../src/saml/mapped-roles";

const known = ["member", "admin", "editor"];
const mapping = {
	attributes: { role: "groups" },
	roles: { Admins: "admin", Editors: "editor", Guests: "guest" },
};

test.each([
	["one group", { groups: "Editors" }, "editor"],
	["several groups", { groups: ["Editors", "Admins"] }, "admin"],
	["no known group", { groups: ["Staff"] }, "member"],
	["no attribute", {}, "member"],
	["a role that the service no longer has", { groups: ["Guests"] }, "member"],
	["a name of every object", { groups: ["constructor", "toString"] }, "member"],
])("the role by %s", (_, asserted, role) => {
	expect(findRole(mapping, asserted, known)).toBe(role);
});

test("an attribute that every object has is not one of the assertion", () => {
	const odd = { attributes: { role: "constructor" }, roles: { Admins: "admin" } };
	expect(findRole(odd, {}, known)).toBe("member");
});

test("without an attribute for roles, the identity provider does not decide them", () => {
	expect(findRole({ attributes: {}, roles: {} }, { groups: ["Admins"] }, known)).toBeNull();
});
