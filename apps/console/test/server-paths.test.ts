import { describe, expect, it } from "vitest";
import { isServerPath } from "../src/tenant/server-paths";

describe("a page that loads again because the server answers its path", () => {
	it.each(["/oauth2/authorize", "/oauth2/end-session"])("is %s", (path) => {
		expect(isServerPath(path)).toBe(true);
	});

	it.each([
		"/oauth2/authorize/",
		"/OAuth2/authorize",
		"/oauth2/%61uthorize",
		"//oauth2/authorize",
		"/oauth2/authorize/more",
		"/oauth2/token",
	])("is not %s, where it would load forever", (path) => {
		expect(isServerPath(path)).toBe(false);
	});
});
