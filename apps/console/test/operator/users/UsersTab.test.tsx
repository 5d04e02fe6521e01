// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, limitedSearch, list, refuse } from "../../support/answers";
import type { Handlers } from "../../support/fake-server";
import { permissionsOf } from "../../support/fixtures/admins";
import { operatorWithout } from "../../support/fixtures/operators";
import { signInOfAda } from "../../support/fixtures/sign-ins";
import { ada, disabledUser, olivia } from "../../support/fixtures/tenant-users";
import { acme } from "../../support/fixtures/tenants";
import { openAdminPage } from "../../support/open-admin-page";
import { openConsole } from "../../support/open-console";
import { describePageStates } from "../../support/page-states";
import { allByRole, byRole, findByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { choose, chooseInMenu, click } from "../../support/user";

const REQUEST = "GET /tenant/user/list";
const SIGN_INS = "GET /tenant/sign-in/list";

const open = (handlers: Handlers, search = "") =>
	openConsole(`/tenants/${acme.id}/users${search}`, handlers);

describePageStates("the users of a tenant", {
	open,
	request: REQUEST,
	filled: { answer: list([ada, disabledUser]), shows: ["Ada", "Boris", "1–2 of 2 users"] },
	empty: { answer: list([]), shows: ["No users yet"] },
	forbidden: {
		handlers: { "GET /operator/me": json(operatorWithout("user:list")) },
		shows: ["You may not see this page", "user:list"],
	},
});

const itemsOf = async (email: string) => {
	await click(`Actions for ${email}`);
	return allByRole("menuitem").map(({ textContent }) => textContent);
};

describe("the users of a tenant, in use", () => {
	test("asks the service for the users with a status", async () => {
		const server = await open({ [REQUEST]: list([ada]) });
		await findByRole("link", "Ada");
		server.answer({ [REQUEST]: list([disabledUser]) });
		await choose("Status", "Disabled");
		expect(await findByRole("link", "Boris")).toBeTruthy();
		expect(server.sent(REQUEST).at(-1)?.query).toMatchObject({ status: "disabled" });
		expect(location.search).toBe("?status=disabled");
	});

	test("says that not all users were searched", async () => {
		await open({ [REQUEST]: limitedSearch([]) }, "?q=ada");
		await findTexts("No users match “ada”", "Only the newest 10,000 users were searched");
		await findTexts("enter the beginning of the name or email");
	});

	test("sorts by name and email in both directions, and by time again", async () => {
		const server = await open({ [REQUEST]: list([ada]) });
		await findByRole("link", "Ada");
		const sorted = () =>
			allByRole("columnheader").flatMap((title) => {
				const sort = title.getAttribute("aria-sort");
				return sort && sort !== "none"
					? [`${title.querySelector("button")?.textContent} ${sort}`]
					: [];
			});
		const asked = () => {
			const { sort, order } = server.sent(REQUEST).at(-1)?.query ?? {};
			return { sort, order };
		};
		const sortBy = (title: string) => click(byRole("button", title));
		expect(sorted()).toEqual(["Created ↓ descending"]);
		await sortBy("Name");
		await until(() => asked().sort === "name");
		expect(asked()).toEqual({ sort: "name", order: undefined });
		expect([location.search, sorted()]).toEqual(["?sort=name", ["Name ↑ ascending"]]);
		await sortBy("Name");
		await until(() => asked().sort === "-name");
		expect(sorted()).toEqual(["Name ↓ descending"]);
		await sortBy("Email");
		await until(() => asked().sort === "email");
		await sortBy("Created");
		expect([location.search, sorted()]).toEqual(["", ["Created ↓ descending"]]);
	});

	test("sorts the matches of a search by time only", async () => {
		const server = await open({ [REQUEST]: list([ada]) }, "?q=a&sort=name");
		await findByRole("link", "Ada");
		expect(server.sent(REQUEST)[0]?.query).toMatchObject({ search: "a", order: "newest" });
		expect(server.sent(REQUEST).some(({ query }) => query.sort)).toBe(false);
		expect(allByRole("button", "Name")).toEqual([]);
	});

	test("ignores a sort that a list does not have", async () => {
		const server = await open({ [REQUEST]: list([ada]) }, "?sort=password");
		await findByRole("link", "Ada");
		expect(server.sent(REQUEST).some(({ query }) => query.sort)).toBe(false);
	});

	test("shows the last sign-in of each user, in one call", async () => {
		const server = await open({
			[REQUEST]: list([ada, disabledUser]),
			[SIGN_INS]: list([signInOfAda]),
		});
		await findByRole("link", "Ada");
		await findTexts("Last sign-in", "–");
		expect(server.sent(SIGN_INS).map(({ query }) => query)).toMatchObject([
			{ tenantId: acme.id, latestOf: `${ada.id},${disabledUser.id}` },
		]);
		const row = byRole("row", /Ada/);
		expect(row.querySelector(`time[datetime="${signInOfAda.createdAt}"]`)).not.toBeNull();
	});

	test("shows users whose last sign-ins could not be loaded", async () => {
		await open({ [REQUEST]: list([ada]), [SIGN_INS]: refuse(503, "", "") });
		await findByRole("link", "Ada");
		await findTexts("–");
		expect(allByRole("alert")).toEqual([]);
	});

	test("asks for no sign-ins that are not for the caller", async () => {
		const server = await open({
			[REQUEST]: list([ada]),
			"GET /operator/me": json(operatorWithout("sign-in:list")),
		});
		await findByRole("link", "Ada");
		expect(server.sent(SIGN_INS)).toEqual([]);
	});

	test("says that no user matches the filters, and shows all users again", async () => {
		await open(
			{ [REQUEST]: ({ query }) => list(query.role ? [] : [ada])() },
			"?role=owner&status=active",
		);
		await findTexts("No users match these filters");
		await click("Clear filters");
		expect(await findByRole("link", "Ada")).toBeTruthy();
		expect(location.search).toBe("");
	});

	test("disables a user from the menu, and reads the list again", async () => {
		const disabled = { ...ada, disabledAt: disabledUser.disabledAt };
		const server = await open({
			[REQUEST]: list([ada]),
			"POST /tenant/user/disable": json(disabled),
		});
		await findByRole("link", "Ada");
		server.answer({ [REQUEST]: list([disabled]) });
		await chooseInMenu("Actions for ada@acme.example", "Disable");
		await findTexts("ada@acme.example was disabled.", "DisabledVerified");
		expect(server.sent("POST /tenant/user/disable")).toMatchObject([
			{ body: { tenantId: acme.id, userId: ada.id } },
		]);
		expect(await itemsOf("ada@acme.example")).toContain("Enable");
	});

	test("says why the service did not send a password reset", async () => {
		await open({
			[REQUEST]: list([ada]),
			"POST /tenant/user/send-password-reset": refuse(500, "", "The mail server is down"),
		});
		await findByRole("link", "Ada");
		await chooseInMenu("Actions for ada@acme.example", "Send password reset");
		await findTexts("The mail server is down");
		expect(byRole("link", "Ada")).toBeTruthy();
	});

	test("names the users for whom an action on several users failed", async () => {
		const server = await open({
			[REQUEST]: list([ada, olivia]),
			"POST /tenant/user/disable": ({ body }) =>
				(body as { userId: string }).userId === olivia.id
					? refuse(409, "LAST_OWNER", "This is the last owner of the tenant")()
					: json(ada)(),
		});
		await findByRole("link", "Olivia");
		await click(byRole("checkbox", "Select all on this page"));
		await click(byRole("button", "Disable", byRole("group", "Selected users")));
		const dialog = await findByRole("dialog", "Disable: 2 users");
		expect(server.sent("POST /tenant/user/disable")).toEqual([]);
		await click(byRole("button", "Disable", dialog));
		await findTexts(
			"1 of 2 disabled. These failed:",
			"olivia@acme.example: This is the last owner of the tenant",
		);
		expect(server.sent("POST /tenant/user/disable")).toHaveLength(2);
	});

	test("offers nothing that the operator may not do", async () => {
		await open({
			[REQUEST]: list([ada]),
			"GET /operator/me": json(
				operatorWithout(
					"user:create",
					"user:update",
					"user:disable",
					"user:enable",
					"user:revoke-sessions",
					"user:send-password-reset",
					"user:import",
					"invitation:create",
					"invitation:list",
				),
			),
		});
		await findByRole("link", "Ada");
		expect(allByRole("button", /^(Create user|Invite)$/)).toEqual([]);
		expect(allByRole("link", /^(Invitations|Import)$/)).toEqual([]);
		expect(allByRole("checkbox")).toEqual([]);
		expect(await itemsOf("ada@acme.example")).toEqual(["Open"]);
	});

	test("does not let an admin of the tenant change an owner", async () => {
		await openAdminPage("/users", {
			[REQUEST]: list([olivia]),
			"GET /tenant/permissions": json(permissionsOf("admin")),
		});
		await findByRole("link", "Olivia");
		expect(await itemsOf("olivia@acme.example")).toEqual(["Open"]);
	});
});
