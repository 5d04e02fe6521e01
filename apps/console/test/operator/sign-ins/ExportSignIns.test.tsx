// @vitest-environment happy-dom
import { describe, expect, test } from "vitest";
import { json, list } from "../../support/answers";
import { linesOf, watchDownloads } from "../../support/downloads";
import { operatorWithout } from "../../support/fixtures/operators";
import { failedSignIn, signInOfAda } from "../../support/fixtures/sign-ins";
import { acme } from "../../support/fixtures/tenants";
import { openConsole } from "../../support/open-console";
import { allByRole, findTexts } from "../../support/screen";
import { until } from "../../support/time";
import { chooseInMenu } from "../../support/user";

const REQUEST = "GET /tenant/sign-in/list";
const PATH = `/tenants/${acme.id}/sign-ins`;

describe("the export of sign-ins", () => {
	test("saves all sign-ins that match the filters, without formulas", async () => {
		const saved = watchDownloads();
		const server = await openConsole(`${PATH}?email=ada@acme.example`, {
			[REQUEST]: list([signInOfAda]),
		});
		await findTexts("1–1 of 1 sign-ins");
		const evil = { ...failedSignIn, userAgent: "@SUM(1+1)" };
		server.answer({
			[REQUEST]: ({ query }) =>
				query.cursor ? list([evil])() : list([signInOfAda], 2, "after-1")(),
		});
		await chooseInMenu("Export", "CSV");
		await until(() => saved.length > 0);
		expect(saved.map(({ name }) => name)).toEqual([`sign-ins-${acme.slug}-2026-11-17.csv`]);
		const [header, first, second, ...more] = await linesOf(saved);
		expect(header).toBe(
			"time,result,reason,email,name,userId,method,provider,ipAddress,userAgent,attempts",
		);
		expect(first).toContain(",succeeded,,ada@acme.example,");
		expect(second).toMatch(/,failed,USER_NOT_FOUND,,,,.*,'@SUM\(1\+1\),12$/);
		expect(more).toEqual([]);
		const exported = server.sent(REQUEST).filter(({ query }) => query.limit === "1000");
		const asked = { tenantId: acme.id, email: "ada@acme.example" };
		expect(exported.map(({ query }) => query)).toMatchObject([
			{ ...asked, offset: "0" },
			{ ...asked, cursor: "after-1" },
		]);
	});

	test("is not there without the right to list sign-ins", async () => {
		await openConsole(PATH, { "GET /operator/me": json(operatorWithout("sign-in:list")) });
		await findTexts("You may not see this page", "sign-in:list");
		expect(allByRole("button", "Export")).toEqual([]);
	});
});
