// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { json } from "../../support/answers";
import { directory } from "../../support/fixtures/directory";
import { openConsole } from "../../support/open-console";
import { findTexts, textOf } from "../../support/screen";

test("the link to the open page is in view, however long the navigation is", async () => {
	const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
	onTestFinished(() => scroll.mockRestore());
	await openConsole("/tenants/tenant-acme/directory", {
		"GET /tenant/scim/get": json(directory),
	});
	await findTexts(directory.url);
	const links = scroll.mock.contexts.map((link) => textOf(link as Element));
	expect(links).toContain("Directory");
	expect(scroll).toHaveBeenCalledWith({ block: "nearest" });
});
