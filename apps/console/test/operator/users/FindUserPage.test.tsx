// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import type { FoundUser } from "../../../src/operator/api/service";
import { json, limitedSearch } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { pass } from "../../support/time";
import { click, type } from "../../support/user";

const REQUEST = "GET /service/users";

const found: FoundUser = {
	id: "user-ada",
	name: "Ada Lovelace",
	email: "ada@acme.example",
	tenant: { id: acme.id, name: acme.name },
};
const ofPlatform: FoundUser = { ...found, id: "user-pia", name: "Pia Platform", tenant: null };

const open = (handlers: Handlers, search = "?q=ada") => openConsole(`/users${search}`, handlers);

describePageStates("the search for a user", {
	open,
	request: REQUEST,
	filled: { answer: json([found]), shows: ["Ada Lovelace", "Acme"] },
	empty: { answer: json([]), shows: ["No users match “ada”"] },
});

describe("the search for a user, in use", () => {
	test("asks the service only for two letters and more", async () => {
		const server = await open({ [REQUEST]: json([found]) }, "");
		await findTexts("Enter at least 2 letters of the name or email.");
		await type("Search by name or email", "a");
		await pass(250);
		expect(server.sent(REQUEST)).toEqual([]);
		await type("Search by name or email", "ad");
		await pass(250);
		await findTexts("Ada Lovelace");
		expect(server.sent(REQUEST).map(({ query }) => query)).toEqual([{ search: "ad" }]);
	});

	test("leads to the user and to the tenant, but not to a user of the platform", async () => {
		await open({ [REQUEST]: json([found, ofPlatform]) });
		const link = await findByRole("link", "Ada Lovelace");
		expect(link.getAttribute("href")).toBe(`/console/tenants/${acme.id}/users/user-ada`);
		expect(byRole("link", "Acme").getAttribute("href")).toBe(`/console/tenants/${acme.id}`);
		expect(allByRole("link", "Pia Platform")).toEqual([]);
		await findTexts("Pia Platform", "Platform");
	});

	test("says that not all users were searched", async () => {
		await open({ [REQUEST]: limitedSearch([]) });
		await findTexts("No users match “ada”", "Only the newest 10,000 users were searched");
	});

	test("starts again when the user clears the search", async () => {
		await open({ [REQUEST]: json([]) });
		await click("Clear search");
		await findTexts("Who are you looking for?");
		expect(location.search).toBe("");
	});
});
