// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { ada, detailsOf } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { findTexts } from "../../support/screen";
import { click } from "../../support/user";

const GRANTS = "GET /tenant/grant/list";
const REVOKE = "POST /tenant/grant/revoke";

const open = (handlers: Handlers) =>
	openConsole(`/tenants/${acme.id}/users/${ada.id}`, {
		"GET /tenant/user/get": json(detailsOf(ada)),
		...handlers,
	});

describe("the applications with access to a user", () => {
	test("are removed after the page has asked", async () => {
		const notes = {
			clientId: "client-notes",
			name: "Notes",
			logoUrl: null,
			scopes: ["openid", "read"],
			grantedAt: "2026-11-01T09:00:00.000Z",
			usedAt: "2026-11-05T09:00:00.000Z",
			hasTokens: true,
		};
		const server = await open({ [GRANTS]: json([notes]), [REVOKE]: json({ success: true }) });
		await findTexts("Notes", "openid read");
		await click("Remove the access of Notes");
		expect(server.sent(REVOKE)).toEqual([]);
		server.answer({ [GRANTS]: json([]) });
		await click("Remove access now");
		await findTexts("Access removed.", "No applications have access");
		expect(server.sent(REVOKE)).toMatchObject([{ body: { clientId: "client-notes" } }]);
	});

	test("say why they could not load", async () => {
		await open({ [GRANTS]: refuse(503, "", "The database is not available.") });
		await findTexts("ada@acme.example", "The database is not available.");
	});
});
