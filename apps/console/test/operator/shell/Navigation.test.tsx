// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { json } from "../../support/answers";
import { directory } from "../../support/fixtures/directory";
import { openConsole } from "../../support/open-console";
import { findTexts } from "../../support/screen";

const serviceLinks = () => document.querySelector('nav[aria-label="Console"] a[href$="/tenants"]');

test("the links of the service fold away while a tenant is open", async () => {
	await openConsole("/tenants/tenant-acme/directory", { "GET /tenant/scim/get": json(directory) });
	await findTexts(directory.url);
	const fold = serviceLinks()?.closest("details");
	expect(fold?.open).toBe(false);
	fold?.querySelector("summary")?.click();
	expect(fold?.open).toBe(true);
});

test("without a tenant, they are there", async () => {
	await openConsole("/nothing");
	await findTexts("Service");
	expect(serviceLinks()).not.toBeNull();
	expect(serviceLinks()?.closest("details")).toBeNull();
});
